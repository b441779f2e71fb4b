import { type Column, code, column, count, figure, percent, rssdId, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, choice, search, state, timeParameters } from '../../catalog/parameters.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const complaints = declaredTable('complaints')

/** What complaints can be counted by. */
const product = code('product', 'Product')
const groups: Readonly<Record<string, readonly Column[]>> = {
  product: [product],
  issue: [code('issue', 'Issue', { nullable: true })],
  state: [code('state', 'State', { nullable: true, doc: 'Of the consumer.' })],
  month: [
    text('month', 'Month', {
      doc: 'In which they were received, as 2024-05.',
      sql: `formatDateTime(received_date, '%Y-%m')`,
    }),
  ],
  year_product: [
    column('UInt16', 'year', 'Year', { doc: 'In which they were received.', sql: 'toYear(received_date)' }),
    product,
  ],
  response: [code('response', 'Response to the consumer', { nullable: true, sql: 'company_response' })],
}

/** Of those that go by time. */
const orders: Readonly<Record<string, readonly string[]>> = {
  month: ['-month'],
  year_product: ['-year', '-complaints'],
}

const parameters = {
  rssd_id: { ...bank(), where: undefined },
  ...timeParameters(complaints.time),
  product: search(['product']),
  issue: search(["ifNull(issue, '')"]),
  state: state('state'),
  group_by: choice(Object.keys(groups), {
    doc: 'Counts by this instead of the complaints one by one; a month counts the complaints received in it.',
  }),
}

const shared = {
  key: 'bank-complaints',
  time: complaints.time,
  parameters,
  sources: ['cfpb-complaints', 'ffiec-call-report'],
} as const

/** Of the companies that are this bank, or its holding company. */
const own = `SELECT *, {rssd_id:UInt32} AS rssd_id FROM complaints
  WHERE company IN (SELECT own FROM links WHERE relation = 'complaints' AND entity = 'bank' AND entity_id = {rssd_id:UInt32})`

const notes =
  'CFPB names a company, often a holding company: its complaints are those of the bank that all but makes it up, and of no bank where several do. Complaints about small banks go to other agencies and are not published. A count says nothing of how good a bank is without its size: complaints per billion dollars of its newest deposits stand beside it. Narratives are given where `fields` names them, and are the consumers’ own words.'

const counts = [
  count('complaints', 'Complaints', { sql: 'count()' }),
  percent('timely_share', 'Answered in time', {
    sql: '100 * countIf(timely) / nullIf(countIf(timely IS NOT NULL), 0)',
  }),
  percent('relief_share', 'Closed with monetary relief', {
    nullable: false,
    sql: `100 * countIf(company_response = 'Closed with monetary relief') / count()`,
  }),
  figure('per_billion_deposits', 'Complaints per billion dollars of deposits', {
    unit: 'count',
    sql: 'count() / nullIf((SELECT max(total_deposits) FROM banks WHERE rssd_id = {rssd_id:UInt32}), 0) * 1000000',
  }),
]

export default dataset({
  ...shared,
  summary: 'Consumer complaints that CFPB sent to one bank, newest first; with `group_by`, their counts.',
  notes,
  from: own,
  grain: ['complaint_id'],
  order: ['-received_date'],
  limit: { default: 100, most: 10_000 },
  columns: [rssdId, ...columnsOf(complaints).filter(({ name }) => name !== 'narrative')],
  further: columnsOf(complaints, ['narrative']),
  flat: {
    parameter: 'group_by',
    of: Object.fromEntries(
      Object.entries(groups).map(([name, columns]) => [
        name,
        dataset({
          ...shared,
          summary: `Complaints of one bank by ${name.replace('_', ' and ')}.`,
          from: own,
          groupBy: columns.map((one) => one.name),
          grain: columns.map((one) => one.name),
          order: orders[name] ?? ['-complaints'],
          columns: [...columns, ...counts],
          examples: [{ title: `By ${name.replace('_', ' and ')}` }],
        }),
      ]),
    ),
  },
  examples: [
    { title: 'The newest', query: 'limit=10', expect: { least: 1 } },
    { title: 'By product', query: 'group_by=product', expect: { least: 1 } },
    { title: 'By month since 2024', query: 'group_by=month&from=2024' },
    { title: 'What they wrote', query: 'fields=received_date,product,narrative&limit=5' },
  ],
})
