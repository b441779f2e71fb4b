import { quoted } from '../quoted.ts'
import { beside, code, computed, day, decimal, hidden, optional, orBlank, whole, words } from './columns.ts'
import { source, tsv } from './declare.ts'
import { byQuarter } from './fetch.ts'
import { bankSics, edgar, sec } from './sec.ts'
import { FACTS, factTable, told } from './sec-fact-table.ts'

export const STATEMENTS = 'sec_statements'

const { cik, form, filed_date, fiscal_year, fiscal_period, accession_number, value } = told

const filing = {
  accession_number: { ...accession_number, headings: ['adsh'] },
  cik,
  name: words('name', { doc: 'Of the registrant when it filed.' }),
  sic: optional(code('sic', { label: 'SIC' })),
  form,
  period: optional(day('period', { label: 'Balance sheet date', doc: 'Rounded to the end of a month.' })),
  fiscal_year,
  fiscal_period,
  fiscal_year_end: optional(code('fye', { label: 'Fiscal year end', doc: 'Month and day, as 1231.' })),
  filed_date,
}

/** Figures of the registrant as a whole: those of its parts have a co-registrant or segments. */
const wholly = `coregistrant = '' AND segments = '' AND given IS NOT NULL`

export default source({
  key: 'sec-statements',
  name: 'SEC Financial Statement Data Sets',
  ...sec,
  address: 'https://www.sec.gov/data-research/sec-markets-data/financial-statement-data-sets',
  what: 'Figures of the financial statements of every XBRL filing, a file a quarter since 2009; those of banks and of holders of banks are kept.',
  fetch: edgar({
    base: 'https://www.sec.gov/files/dera/data/financial-statement-data-sets',
    addresses: (asked) =>
      byQuarter(asked, '2009Q2', ({ year, quarter }) => ({
        name: `${year}q${quarter}.zip`,
        path: `/${year}q${quarter}.zip`,
      })),
  }),
  tables: {
    [STATEMENTS]: {
      doc: 'A filing whose financial statements the data sets have.',
      member: /^sub\.(txt|tsv)$/i,
      columns: filing,
      unique: ['accession_number'],
      edition: { replaces: 'upsert' },
      time: { kind: 'day', column: 'filed_date' },
      form: tsv(),
      keep: `ifNull(sic, '') IN (${Object.keys(bankSics).map(quoted).join(', ')})`,
    },
    [FACTS]: factTable(
      {
        cik: beside(cik),
        taxonomy: {
          ...computed(
            'String',
            `if(version = accession_number, 'custom', splitByChar('/', version)[1])`,
            told.taxonomy,
          ),
          repeated: true,
        },
        concept: { ...told.concept, headings: ['tag'] },
        unit: { ...told.unit, headings: ['uom'] },
        start_date: computed(
          'Nullable(Date32)',
          `if(quarters = 0, NULL, addDays(toLastDayOfMonth(addMonths(end_date, -3 * quarters)), 1))`,
          told.start_date,
        ),
        end_date: { ...told.end_date, headings: ['ddate'] },
        value: computed('Float64', 'ifNull(given, 0)', value),
        fiscal_year: beside(fiscal_year),
        fiscal_period: beside(fiscal_period),
        form: beside(form),
        accession_number: filing.accession_number,
        filed_date: beside(filed_date),
      },
      'nothing',
      {
        member: /^num\.(txt|tsv)$/i,
        form: tsv(),
        completed: { by: STATEMENTS, on: 'accession_number' },
        keep: wholly,
      },
      {
        version: hidden(words('version')),
        quarters: hidden(whole('qtrs')),
        segments: hidden(orBlank(words('segments'))),
        coregistrant: hidden(orBlank(words('coreg'))),
        given: hidden(optional(decimal('value'))),
      },
    ),
  },
})
