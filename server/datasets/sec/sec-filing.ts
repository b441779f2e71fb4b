import { FILING_FEED } from '../../../sql/sources/sec-filings.ts'
import { meaningOfItem } from '../../../sql/sources/sec-items.ts'
import { code, id, objects, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { word } from '../../catalog/parameters.ts'
import { filingSources, filings, folder, registrantOf } from '../../catalog/parts/sec-filings.ts'
import { columnsOf } from '../../catalog/tables.ts'

// the number has the year in which it was given: a filing of January may have one of December
const number = '{accession_number:String}'
const year = `(if(toUInt16(substring(${number}, 12, 2)) < 90, 2000, 1900) + toUInt16(substring(${number}, 12, 2)))`

export default dataset({
  key: 'sec-filing',
  summary:
    'One filing: its header, the items that it reports, its registrants, and its documents with their addresses at the SEC.',
  notes:
    'EDGAR’s submissions name the primary document of a filing: the others are on the page of the filing, `index`. `submission` is the whole filing as one text.',
  from: `
    SELECT accession_number, any(f.form) AS form, min(f.filed_date) AS filed_date, any(f.report_date) AS report_date, any(f.accepted) AS accepted,
      any(f.description) AS description, any(f.file_number) AS file_number, any(f.film_number) AS film_number, any(f.act) AS act, any(f.size) AS size, any(f.xbrl) AS xbrl,
      arrayMap(one -> CAST((one, if(startsWith(form, '8-K'), ${meaningOfItem('one')}, '')), 'Tuple(item String, meaning String)'), any(f.items)) AS items,
      CAST(arraySort(groupArray((f.cik, f.registrant, f.institution))), 'Array(Tuple(cik UInt32, name String, rssd_id Nullable(UInt32)))') AS registrants,
      CAST(arrayConcat([('index', concat(any(${folder}), accession_number, '-index.htm')), ('submission', concat(any(${folder}), accession_number, '.txt'))],
        arrayMap(one -> ('primary', concat(any(${folder}), one)), arrayFilter(one -> one != '', [ifNull(any(primary_document), '')]))), 'Array(Tuple(kind String, url String))') AS documents
    FROM (SELECT *, ${registrantOf.name} AS registrant, ${registrantOf.institution} AS institution FROM ${FILING_FEED}
      WHERE accession_number = ${number} AND filed_date BETWEEN makeDate32(${year}, 1, 1) AND makeDate32(${year} + 1, 12, 31)) AS f
    GROUP BY accession_number`,
  time: { kind: 'none' },
  grain: ['accession_number'],
  parameters: {
    accession_number: word({
      doc: 'Accession number of the filing.',
      pattern: /^\d{10}-\d{2}-\d{6}$/,
      where: `accession_number = ${number}`,
      noun: 'filing',
      example: '1895000000-26-810503',
    }),
  },
  columns: [
    ...columnsOf(filings, [
      'accession_number',
      'form',
      'filed_date',
      'report_date',
      'accepted',
      'description',
    ]),
    ...columnsOf(filings, ['file_number', 'film_number', 'act', 'size', 'xbrl']),
    objects('items', 'Items', [code('item', 'Item'), text('meaning', 'What it tells')]),
    objects('registrants', 'Registrants', [
      id('cik', 'CIK'),
      text('name', 'Name'),
      id('rssd_id', 'RSSD ID', { nullable: true }),
    ]),
    objects('documents', 'Documents', [code('kind', 'Kind'), text('url', 'Address')]),
  ],
  sources: [...filingSources],
  examples: [{ title: 'A filing' }],
})
