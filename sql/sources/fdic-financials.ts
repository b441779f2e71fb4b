import { computed, day, decimal, hidden, inHeader, optional, orNull, ref } from './columns.ts'
import { csv, json, source } from './declare.ts'
import { variables } from './fdic-variables.ts'
import { bankFind, bankFindBase, byQuarter } from './fetch.ts'

const figures = Object.fromEntries(
  variables.map(({ name, unit, label }) => [name.toLowerCase(), optional(decimal(name, { label, unit }))]),
)

const columns = {
  told: hidden(
    inHeader(
      // an ID is such as 628_20181231
      orNull(day('REPDTE | RISDATE | ID', { take: (text) => `replaceRegexpOne(${text}, '^[0-9]+_', '')` })),
    ),
  ),
  report_date: computed('Date', `toDate(ifNull(told, toDate32('1970-01-01')))`, { label: 'Report date' }),
  cert: ref('certificate', 'CERT', { label: 'FDIC certificate' }),
  ...figures,
}

/** The demo’s figures are those of its Call Reports, in the FDIC’s words; rates of a year so far are annualised. */
const annual = (amount: string, of: string) =>
  `round(100 * (${amount}) / (${of}) * 4 / toQuarter(report_date), 4)`
const deposits = '(domestic_deposits + foreign_deposits)'
const revenue = '(f_interest_income - f_interest_expense + f_noninterest_income)'
const demoFigures: Readonly<Record<string, string>> = {
  ...{ asset: 'total_assets', dep: deposits, depdom: 'domestic_deposits', depfor: 'foreign_deposits' },
  ...{ lnlsgr: 'total_loans', lnatres: 'allowance', lnlsnet: 'total_loans - allowance', eq: 'total_equity' },
  ...{
    eqtot: 'total_equity',
    liab: 'total_assets - total_equity',
    sc: 'securities_afs + arraySum(htm_cost)',
  },
  ...{ intinc: 'f_interest_income', eintexp: 'f_interest_expense', nonii: 'f_noninterest_income' },
  ...{ nim: 'f_interest_income - f_interest_expense', nonix: 'f_noninterest_expense', esal: 'f_salaries' },
  ...{ elnatr: 'f_provision', itax: 'f_taxes', netinc: 'f_net_income', numemp: 'employees' },
  roa: annual('f_net_income', 'total_assets'),
  roe: annual('f_net_income', 'greatest(total_equity, 1)'),
  noniiay: annual('f_noninterest_income', 'total_assets'),
  nonixay: annual('f_noninterest_expense', 'total_assets'),
  eqv: 'round(100 * total_equity / total_assets, 4)',
  eeffr: `if(${revenue} > 0, round(100 * f_noninterest_expense / ${revenue}, 4), NULL)`,
  lnlsdepr: `if(${deposits} > 0, round(100 * (total_loans - allowance) / ${deposits}, 4), NULL)`,
  lnlsntv: 'round(100 * (total_loans - allowance) / total_assets, 4)',
  lnatresr: 'if(total_loans > 0, round(100 * allowance / total_loans, 4), NULL)',
}
const demo = `
SELECT report_date, b.cert AS cert,
    ${Object.keys(figures)
      .map((name) => `${demoFigures[name] ?? 'NULL'} AS ${name}`)
      .join(', ')}
FROM demo_filings AS f INNER JOIN demo_banks AS b ON b.rssd_id = f.rssd_id
WHERE toMonth(report_date) = 12 OR report_date = {last:Date}`

export default source({
  key: 'fdic-financials',
  name: 'FDIC financials',
  publisher: 'Federal Deposit Insurance Corporation, BankFind Suite',
  licence: 'Public domain (work of the United States government)',
  address: 'https://api.fdic.gov/banks/financials',
  what: 'Balance sheet, income, capital, asset quality and efficiency of every insured institution as FDIC works them out, by quarter since 1984.',
  fetch: {
    base: bankFindBase,
    addresses: (asked) =>
      byQuarter(asked, '1984Q1', ({ year, quarter, end }) =>
        bankFind('financials', {
          fields: ['CERT', 'REPDTE', ...variables.map(({ name }) => name)],
          sort: 'CERT',
          filters: `REPDTE:${end.replaceAll('-', '')}`,
          name: `financials-${year}Q${quarter}.json`,
        }),
      ),
  },
  tables: {
    fdic_financials: {
      doc: 'An insured institution at the end of a quarter, by the FDIC’s variables.',
      absent: ['NA', 'NaN', 'null'],
      columns,
      // what FDIC says of an institution has its offices too
      someOf: Object.keys(figures).filter((name) => !/^off/.test(name)),
      checks: {
        'isNotNull(told) AND toMonth(told) % 3 = 0 AND toLastDayOfMonth(told) = told':
          "concat('expected the end of a quarter in REPDTE, RISDATE or ID, found ', ifNull(toString(told), 'none'))",
      },
      unique: ['report_date', 'cert'],
      order: ['cert'],
      partition: 'report_date',
      granule: 256,
      edition: { replaces: 'partition' },
      time: { kind: 'quarter', column: 'report_date' },
      form: [json('data[].data'), csv()],
      demo,
    },
  },
})
