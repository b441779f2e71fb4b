import { code, orBlank, upper, words } from './columns.ts'
import { csv } from './declare.ts'
import { itemSource } from './items.ts'

/**
 * Names of the bulk file: `BHCF20181231.txt`, `BHCF1812.txt`, `bhcf9812.csv`, with or without something before. Only a
 * date of eight digits is held against the content: a shorter one has been seen on another quarter's file.
 */
const bulk = /^(?:\w+_)?(?<part>BHCF)[-_ ]?(?:(?<date>\d{8})|\d{4}|\d{6})\.(?:txt|csv)$/i

export default itemSource({
  key: 'fr-y-9c',
  name: 'FR Y-9 reports of holding companies',
  publisher: 'Federal Financial Institutions Examination Council, National Information Center',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.ffiec.gov/npw/FinancialReport/FinancialDataDownload',
  what: 'Every item of FR Y-9C (consolidated, each quarter), FR Y-9LP (parent only) and FR Y-9SP (small holders, each half-year).',
  howToGet: `Download "BHCF" bulk files (a zip a quarter) from https://www.ffiec.gov/npw/FinancialReport/FinancialDataDownload,
or the report of one institution as CSV from its page there; then: npm run load -- fr-y-9c FOLDER`,
  entity: 'institution',
  id: { heading: 'RSSD9001', column: 'rssd_id', called: 'RSSD ID' },
  date: /^RSSD9999$/,
  form: [csv({ delimiter: '^', quoted: false, endsLines: true }), csv({ endsLines: true })],
  // the largest ever published is below 70 MB
  largestFile: 128,
  archive: /^BHCF(?<date>\d{8})\.zip$/i,
  called: {
    edition: 'an FR Y-9 quarter',
    expected: 'expected BHCFYYYYMMDD.zip or .txt, or the CSV of one institution (FRY9C_…csv)',
  },
  filers: {
    table: 'holding_company_filers',
    doc: 'A holding company that filed for the quarter.',
    member: bulk,
    called: 'the file',
    file: 'the bulk file BHCFYYYYMMDD.txt',
    columns: {
      legal_name: words('RSSD9017', { label: 'Legal name' }),
      address: orBlank(words('RSSD9028', { label: 'Address', absent: ['0'] })),
      city: orBlank(words('RSSD9130', { label: 'City' })),
      state: orBlank(upper(code('RSSD9200', { label: 'State', absent: ['0'] }))),
      zip: orBlank(words('RSSD9220', { label: 'ZIP code', absent: ['0'] })),
      web_address: orBlank(words('RSSD4087', { label: 'Web address', absent: ['0', 'NA'] })),
      entity_type: orBlank(upper(code('RSSD9346', { label: 'Type of entity', absent: ['0'] }))),
    },
  },
  items: {
    table: 'holding_company_items',
    doc: 'An item that a holding company filed. Amounts in thousands of US dollars, ratios in percent.',
    member: bulk,
    called: 'report',
    code: 'mdrm',
    part: 'report',
    // beside codes, the bulk files have attributes such as ID_LEI, and the position of the head office
    heading: /^\w{3,20}$/,
    expected: 'an MDRM code such as BHCK2170',
    absent: ['NA'],
    kinds: { number: 1, text: null },
    kind: (mdrm) => (/^(RSSD|TEXT|TE\d\d|TX\d\d|TEXC|BHTX)|_/.test(mdrm) ? 'text' : 'number'),
  },
  single: {
    member: /^(?<part>FRY9(?:C|LP|SP))[-_ ].*\.csv$/i,
    parts: ['FRY9C', 'FRY9LP', 'FRY9SP'],
    header: { code: 'ItemName', value: 'Value' },
    headings: {
      'Institution Name': 'RSSD9017',
      'Street Address': 'RSSD9028',
      City: 'RSSD9130',
      State: 'RSSD9200',
      'Zip Code': 'RSSD9220',
      'Report Date': 'RSSD9999',
      ID_RSSD: 'RSSD9001',
    },
  },
})
