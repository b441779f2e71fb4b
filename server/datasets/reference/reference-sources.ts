import { code, count, date, instant, text } from '../columns.ts'
import { dataset } from '../define.ts'

const last = (name: string, label: string, doc: string) => date(name, label, { nullable: true, doc })

export default dataset({
  key: 'reference-sources',
  summary: 'Each source with its publisher and licence, and what is loaded of it.',
  notes:
    'Rows and rejects are those of the files in force: a newer edition of the same report replaces the older one. The demo universe (`meta.synthetic`) is made, not loaded: with it no source has files.',
  from: `
SELECT s.position AS position, s.key AS key, s.name AS name, s.publisher AS publisher, s.licence AS licence,
       s.address AS address, s.what AS what, l.* EXCEPT (source)
FROM source_catalog AS s
LEFT JOIN (SELECT * REPLACE (toNullable(last_loaded_at) AS last_loaded_at) FROM source_loads) AS l ON l.source = s.key`,
  grain: ['position'],
  order: ['position'],
  columns: [
    code('key', 'Key', { doc: 'As `sources` of the datasets and `npm run load` name it.' }),
    text('name', 'Name'),
    text('publisher', 'Publisher'),
    text('licence', 'Licence'),
    text('address', 'Address', { doc: 'Where the publisher offers the files.' }),
    text('what', 'What it holds'),
    count('files', 'Files in force'),
    count('superseded_files', 'Files replaced', { doc: 'By a newer edition of the same report.' }),
    count('bytes', 'Bytes', { unit: 'bytes' }),
    count('rows_read', 'Rows read'),
    count('rows_kept', 'Rows kept'),
    count('rows_rejected', 'Rows rejected'),
    last('first_quarter', 'First quarter', 'The earliest report date in force.'),
    last('last_quarter', 'Last quarter', 'The latest report date in force.'),
    instant('last_loaded_at', 'Last loaded', { nullable: true, doc: 'UTC; null where nothing is loaded.' }),
  ],
  sources: [],
  examples: [{ title: 'Every source', expect: { least: 1 } }],
})
