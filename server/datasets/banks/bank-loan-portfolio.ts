import { banks } from '../../../sql/universes/bank/index.ts'
import { cohort, money, objects, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank, choice, integer } from '../../catalog/parameters.ts'
import { loanPortfolio, type Part } from '../../catalog/parts/loan-portfolio.ts'
import { nested } from '../../catalog/parts/nested.ts'

type Name = keyof typeof loanPortfolio
const parts = Object.entries(loanPortfolio) as [Name, Part][]
const names = parts.map(([name]) => name)

const parameters = {
  rssd_id: { ...bank(), where: undefined },
  as_of: asOf({ where: null }),
  quarters: integer({ doc: 'So many quarters of asset quality, 1 to 40.', min: 1, max: 40, default: 8 }),
  part: choice(names, {
    doc: 'One of the lists alone, as flat rows: every format then, csv, arrow, parquet and xlsx among them.',
  }),
}

const shared = {
  key: 'bank-loan-portfolio',
  parameters,
  sources: ['ffiec-call-report'],
} as const

/** The parts are flat; what an object of the answer need not say again are bank and, but for the series, quarter. */
const inside = ([name, { columns }]: [Name, Part]) =>
  columns.filter(
    (column) => column.name !== 'rssd_id' && (column.name !== 'report_date' || name === 'asset_quality'),
  )

export default dataset({
  ...shared,
  summary:
    'The loans of one bank: what they are made of, how concentrated they are against capital, and how each kind performs by quarter.',
  notes:
    'Types of the composition add up to total loans; form 031’s real estate loans of foreign offices, which it does not split, are among the last. Concentrations are against tier 1 capital and the allowance, with the levels of the interagency guidance of 2006 on commercial real estate: construction at 100 percent, commercial real estate at 300 percent after a growth of 50 percent in 36 months. Asset quality has the kinds that Schedules RC-N and RI-B tell apart, oldest quarter first. The object with its lists is JSON; `part=composition`, `part=concentration` or `part=asset_quality` gives one list as rows in any format.',
  from: `
SELECT rssd_id, report_date, cohort, metrics[${banks.position('total_loans')}] AS total_loans,
  metrics[${banks.position('tier1_and_allowance')}] AS tier1_and_allowance,
  ${parts.map(([name, part]) => `${nested(part.sql, inside([name, part]))} AS ${name}`).join(',\n  ')}
FROM bank_rows WHERE rssd_id = {rssd_id:UInt32} AND report_date = {as_of:Date}`,
  grain: ['rssd_id'],
  columns: [
    rssdId,
    reportDate,
    cohort,
    money('total_loans', 'Total loans'),
    money('tier1_and_allowance', 'Tier 1 capital and allowance'),
    ...parts.map(([name, part]) => objects(name, part.label, inside([name, part]))),
  ],
  flat: {
    parameter: 'part',
    of: Object.fromEntries(
      parts.map(([name, { columns, order, sql, label }]) => [
        name,
        dataset({
          ...shared,
          result: 'many',
          summary: `${label} of the loans of one bank.`,
          from: sql,
          grain: order,
          columns,
          examples: [{ title: label }],
        }),
      ]),
    ),
  },
  examples: [
    { title: 'The latest filed quarter, with two years of asset quality', expect: { rows: 1 } },
    {
      title: 'A year of asset quality',
      query: 'quarters=4&fields=report_date,asset_quality',
      expect: { rows: 1, columns: ['report_date', 'asset_quality'] },
    },
  ],
})
