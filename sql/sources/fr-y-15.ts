import { orBlank, thousands, whole, words } from './columns.ts'
import { csv, source } from './declare.ts'
import { itemSource } from './items.ts'

/** Names of the snapshot of a year: what the National Information Center calls it has changed from year to year. */
const snapshot =
  /^(?<part>FRY-?15|FR_Y-?15|Snapshot(?: |_)?Indicators?)(?:[-_ ](?!\d+_\d+\.).{0,80})?\.(?:csv|txt)$/i

/**
 * FR Y-15. Each indicator stands three times: RISK for a holding company at the top, RISI for the intermediate holding
 * company of a foreign bank, RISO for the foreign bank; a filer fills in one of them.
 */
export const frY15 = itemSource({
  key: 'fr-y-15',
  name: 'FR Y-15 systemic risk reports',
  publisher: 'Federal Financial Institutions Examination Council, National Information Center',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.ffiec.gov/npw/FinancialReport/FRY15Reports',
  what: 'Indicators of systemic risk of large banking organisations: size, interconnectedness, substitutability, complexity, cross-jurisdictional activity.',
  howToGet: `Download "FRY15 Snapshot Indicators" (CSV, a file a year) from https://www.ffiec.gov/npw/FinancialReport/FRY15Reports,
or the report of one institution as CSV from its page; then: npm run load -- fr-y-15 FOLDER`,
  entity: 'institution',
  id: { heading: 'ID_RSSD', column: 'rssd_id', called: 'RSSD ID' },
  date: /^(DT|AS ?OF ?DATE|RIS[KIO]9999)$/,
  form: [csv(), csv({ delimiter: '^', quoted: false })],
  archive: /(?<date>\d{8})\.zip$/i,
  called: {
    edition: 'an FR Y-15 snapshot',
    expected: 'expected a CSV such as FRY15_20231231.csv, or that of one institution (FRY15_…_….csv)',
  },
  filers: {
    table: 'fry15_filers',
    doc: 'An organisation that filed FR Y-15.',
    member: snapshot,
    called: 'the file',
    file: 'the snapshot',
    columns: { legal_name: orBlank(words('NAME | Name (Legal) | RSSD9017', { label: 'Legal name' })) },
  },
  items: {
    table: 'fry15_items',
    doc: 'An item of FR Y-15, in thousands of US dollars.',
    member: snapshot,
    called: 'report',
    code: 'mdrm',
    part: 'report',
    heading: /^[\w .()/-]{2,80}$/,
    expected: 'an MDRM code such as RISKY832',
    absent: ['NA'],
    kinds: { number: 1, text: null },
    kind: (mdrm) => (/^RIS[KIO](?!9999|C490)[A-Z0-9]{4}$/.test(mdrm) ? 'number' : 'text'),
  },
  single: {
    member: /^(?<part>FRY15)_\d+_\d+\.csv$/i,
    parts: ['FRY15'],
    header: { code: 'ItemName', value: 'Value' },
    headings: {
      'Institution Name': 'NAME',
      'Street Address': 'ADDRESS',
      'Zip Code': 'ZIP',
      'Report Date': 'DT',
      ID_RSSD: 'ID_RSSD',
    },
  },
})

/** What the scores of method 1 divide by: the Basel Committee publishes these sums over the largest banks of the world. */
export const gsibDenominators = source({
  key: 'gsib-denominators',
  name: 'Aggregate global indicator amounts',
  publisher: 'Basel Committee on Banking Supervision; Board of Governors of the Federal Reserve System',
  licence: 'Public',
  address: 'https://www.bis.org/bcbs/gsib/denominators.htm',
  what: 'The sum of each indicator over the sample of the world’s largest banks, a year at a time.',
  howToGet: `Write the amounts of a year from https://www.bis.org/bcbs/gsib/denominators.htm, in thousands of US dollars at the
year's rate, as CSV with the header YEAR,INDICATOR,AMOUNT, an indicator by the code of its FR Y-15 item (Y832, M362, …);
then: npm run load -- gsib-denominators FILE`,
  tables: {
    gsib_denominators: {
      doc: 'The sum of an indicator over the sample of a year.',
      columns: {
        year: whole('YEAR', { label: 'Year' }),
        indicator: words('INDICATOR', { label: 'Item of FR Y-15', doc: 'Its last four characters.' }),
        amount: thousands('AMOUNT', { label: 'Amount' }),
      },
      unique: ['year', 'indicator'],
      edition: { replaces: 'upsert' },
      time: { kind: 'year', column: 'year' },
      checks: { 'amount > 0': "'the amount must be above 0'" },
    },
  },
})
