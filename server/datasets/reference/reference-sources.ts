import { incompleteSql } from '../../../sql/sources/incomplete.ts'
import { code, count, date, instant, strings, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'

const last = (name: string, label: string, doc: string) => date(name, label, { nullable: true, doc })

export default dataset({
  key: 'reference-sources',
  summary: 'Each source with its publisher and licence, and what is loaded of it.',
  notes:
    'When a source was last asked is as it is now; all else is of the data version. Rows and rejects are those of the files in force: a newer edition of the same report replaces the older one. The demo universe (`meta.synthetic`) is made, not loaded: with it no source has files.',
  from: `
SELECT s.position AS position, s.key AS key, s.name AS name, s.publisher AS publisher, s.licence AS licence,
       s.address AS address, s.what AS what, l.* EXCEPT (source), i.incomplete AS incomplete,
       f.last_asked AS last_asked, f.last_new AS last_new, f.last_failed AS last_failed, f.last_failure AS last_failure
FROM source_catalog AS s
LEFT JOIN (SELECT * REPLACE (toNullable(last_loaded_at) AS last_loaded_at) FROM source_loads) AS l ON l.source = s.key
LEFT JOIN (
  SELECT source, groupArray(concat(toString(report_date), ': ', arrayStringConcat(lacks, ', '))) AS incomplete FROM (${incompleteSql}) GROUP BY source
) AS i ON i.source = s.key
LEFT JOIN (
  SELECT fetch.1 AS source, parseDateTime64BestEffortOrNull(fetch.2, 3, 'UTC') AS last_asked,
         parseDateTime64BestEffortOrNull(fetch.3, 3, 'UTC') AS last_new,
         parseDateTime64BestEffortOrNull(fetch.4, 3, 'UTC') AS last_failed, nullIf(fetch.5, '') AS last_failure
  FROM (SELECT arrayJoin(arrayZip({fetch_source:Array(String)}, {fetch_asked:Array(String)}, {fetch_new:Array(String)},
                                  {fetch_failed:Array(String)}, {fetch_failure:Array(String)})) AS fetch)
) AS f ON f.source = s.key`,
  steps: [
    {
      binds: {
        fetch_source: 'Array(String)',
        fetch_asked: 'Array(String)',
        fetch_new: 'Array(String)',
        fetch_failed: 'Array(String)',
        fetch_failure: 'Array(String)',
      },
      fetches: ({ sources }) => ({
        fetch_source: sources.map(({ source }) => source),
        fetch_asked: sources.map(({ lastAsked }) => lastAsked),
        fetch_new: sources.map(({ lastNew }) => lastNew ?? ''),
        fetch_failed: sources.map(({ lastFailed }) => lastFailed ?? ''),
        fetch_failure: sources.map(({ lastFailure }) => lastFailure ?? ''),
      }),
    },
  ],
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
    strings('incomplete', 'Incomplete quarters', {
      doc: 'Report dates in force that lack files, which are named; answers over them say so in `meta.incomplete`.',
    }),
    instant('last_loaded_at', 'Last loaded', { nullable: true, doc: 'UTC; null where nothing is loaded.' }),
    instant('last_asked', 'Last asked', {
      nullable: true,
      doc: 'When the publisher was last asked for what is new, UTC; null: never.',
    }),
    instant('last_new', 'Last new', {
      nullable: true,
      doc: 'When something new was last fetched and loaded.',
    }),
    instant('last_failed', 'Last failed', {
      nullable: true,
      doc: 'When something of it last could not be fetched or loaded; it is tried again at the next refresh.',
    }),
    text('last_failure', 'Last failure', { nullable: true, doc: 'Which file that was, and why.' }),
  ],
  sources: [],
  examples: [{ title: 'Every source', expect: { least: 1 } }],
})
