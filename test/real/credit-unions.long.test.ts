// Figures of real credit unions against what NCUA computes itself, against a second implementation, and against its list.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import t, { type Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { publishing } from '../../server/publishing.ts'
import { memoryLog, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'
import { noRealData, realData } from './quarters.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('credit_unions.py', import.meta.url))
const folder = `${realData}ncua/2025Q4`
const noDuckdb = withoutModules('duckdb')
const noData = noRealData('ncua')
const noSecond = noData || noDuckdb

type Row = Record<string, number | string | null>
let loaded: Promise<(sql: string) => Promise<Row[]>> | undefined

/** Rows of a query over 2025Q4 by the project's loader, loaded once for all tests. */
const quarter = () => {
  loaded ??= (async () => {
    const { engine } = await testEngine(t)
    const options = { progress: silent, log: memoryLog(), publishing, partial: true }
    const { editions } = await runLoad(engine, findSource('ncua-5300')!, [folder], options)
    if (editions[0]?.status !== 'published') throw new Error(JSON.stringify(editions))
    const { database } = (await currentPublication(engine))!
    return (sql: string) => engine.rows<Row>({ database, sql })
  })()
  return loaded
}

async function fromPython(t: Test, what: string, path: string): Promise<Record<string, string>[]> {
  const output = join(await temporaryFolder(t), 'out.csv')
  await run(python, [script, what, path, output], { timeout: 300_000 })
  return parse(readFileSync(output), { columns: true })
}

/** Of all that have both, how many are within so much of each other. */
function agreement(pairs: readonly [number, number][], within: number) {
  const apart = pairs.filter(([a, b]) => !(Math.abs(a - b) <= within))
  return { share: 1 - apart.length / pairs.length, apart }
}

t.test('what NCUA computes itself', { skip: noData, timeout: 600_000 }, async (t) => {
  const rows = await quarter()
  const insured = 'cu_number IN (SELECT cu_number FROM credit_union_quarters)'
  /** By metric or sum of metrics, the account that must equal it, and how near: NCUA rounds dollars part by part. */
  const computed: readonly [ours: string, account: string, within: number, least?: number][] = [
    ['net_worth_ratio', '998', 0.01],
    ['net_interest_income', 'IS0010', 0],
    ['loan_income + investment_income', '115 - IS0005', 0],
    ['dividends + borrowing_expense', '350', 0],
    ['interest_income - interest_expense - provision + noninterest_income - noninterest_expense', '661A', 0],
    ['total_equity + total_liabilities', '014', 0],
    ['cash + time_deposits', 'AS0009', 0],
    ['total_investments', 'NV0158', 0.003, 0.98],
    ['insured_shares + uninsured_shares', '018', 0],
    ['delinquent_60_179 + delinquent_180_359 + delinquent_360', '041B', 0],
    [
      'credit_card_loans + unsecured_loans + payday_alternative_loans + student_loans + vehicle_loans + lease_receivables + other_secured_loans + real_estate_loans + commercial_other_loans',
      '025B',
      0.02,
    ],
    [
      'share_drafts + regular_shares + money_market_shares + share_certificates + ira_shares + other_shares + nonmember_deposits',
      '018',
      0.005,
    ],
    ['securities_htm', 'NV0081', 0],
    ['securities_afs', 'NV0084', 0],
  ]
  for (const [ours, accounts, within, least = 1] of computed) {
    const [first, less] = accounts.split(' - ')
    const items = [first, less ?? 'none'].map((code) => `ACCT_${code}`)
    const found = await rows(`
      SELECT ${ours} AS ours, i.theirs AS theirs FROM credit_union_quarters AS q
      INNER JOIN (
        SELECT cu_number, sum(if(account = '${items[0]}', value, -value)) AS theirs
        FROM credit_union_items WHERE account IN ('${items.join("', '")}') AND ${insured} GROUP BY cu_number
        HAVING countIf(account = '${items[0]}') > 0
      ) AS i ON i.cu_number = q.cu_number`)
    const pairs = found.map(({ ours, theirs }) => [Number(ours), Number(theirs)] as [number, number])
    const { share, apart } = agreement(pairs, within + 1e-6)
    t.equal(pairs.length, 4287, `${accounts}: of every insured credit union`)
    t.ok(share >= least, `${accounts}: ${(100 * share).toFixed(2)} % within ${within}`, {
      apart: apart.slice(0, 5),
    })
    t.comment(`${accounts}: ${(100 * share).toFixed(2)} %`)
  }
  const groups = ['under_2m', '2m_10m', '10m_50m', '50m_100m', '100m_500m', 'over_500m']
  const [peers] = await rows(`
    SELECT toUInt32(countIf(cohort = [${groups.map((key) => `'${key}'`).join(', ')}][peer_group])) AS same, toUInt32(count()) AS n
    FROM credit_unions`)
  t.same(peers, { same: 4287, n: 4287 }, 'every asset group')
})

t.test(
  'a second implementation in DuckDB agrees, for every credit union',
  { skip: noSecond, timeout: 600_000 },
  async (t) => {
    const theirs = await fromPython(t, 'figures', folder)
    const metrics = Object.keys(theirs[0]!).filter((name) => name !== 'cu_number')
    t.ok(metrics.length >= 20, `${metrics.length} metrics`)
    const rows = await quarter()
    const ours = new Map(
      (await rows(`SELECT cu_number, ${metrics.join(', ')} FROM credit_union_quarters`)).map((row) => [
        String(row.cu_number),
        row,
      ]),
    )
    t.equal(ours.size, theirs.length)
    for (const metric of metrics) {
      const apart = theirs.filter((row) => {
        const own = ours.get(row.cu_number!)?.[metric]
        if (row[metric] === '' || own === null) return (row[metric] === '') !== (own === null)
        const [a, b] = [Number(row[metric]), Number(own)]
        return Math.abs(a - b) > 1e-9 * Math.max(1, Math.abs(a))
      })
      t.equal(apart.length, 0, metric, {
        apart: apart.slice(0, 3).map(({ cu_number }) => ours.get(cu_number!)),
      })
    }
  },
)

t.test(
  "levels are plausible next to NCUA's list of the quarter before",
  { skip: noSecond, timeout: 600_000 },
  async (t) => {
    const list = await fromPython(
      t,
      'list',
      `${realData}ncua/lists/federally-insured-credit-union-list-september-2025.zip`,
    )
    t.equal(list.length, 4331)
    for (const row of list)
      if (row['Total deposits'] !== '0' && row['Loan-to-share ratio'] !== '')
        if (
          Math.abs(
            (100 * Number(row['Total loans'])) / Number(row['Total deposits']) -
              Number(row['Loan-to-share ratio']),
          ) > 1e-6
        )
          t.fail(`its loan-to-share ratio is loans to shares: ${row['Charter number']}`)
    const rows = await quarter()
    const ours = new Map(
      (await rows('SELECT * FROM credit_union_quarters')).map((row) => [String(row.cu_number), row]),
    )
    // a quarter apart: 99 of 100 are within as much
    const near: readonly [metric: string, column: string, within: number][] = [
      ['roa', 'Return on average assets', 3],
      ['net_worth_ratio_without_transition', 'Net worth ratio (excludes CECL transition provision)', 3.5],
      ['loan_to_share_ratio', 'Loan-to-share ratio', 13],
    ]
    for (const [metric, column, within] of near) {
      const pairs = list.flatMap((row): [number, number][] => {
        const own = ours.get(row['Charter number']!)?.[metric]
        return own === undefined || own === null || row[column] === ''
          ? []
          : [[Number(own), Number(row[column])]]
      })
      t.ok(pairs.length > 4250, `${metric}: ${pairs.length} on both`)
      const { share } = agreement(pairs, within)
      t.ok(share >= 0.99, `${metric}: ${(100 * share).toFixed(2)} % within ${within} points`)
      const middle = pairs.map(([a, b]) => a - b).sort((a, b) => a - b)[pairs.length >> 1]!
      t.ok(Math.abs(middle) < within / 10, `${metric}: the middle difference is ${middle.toFixed(3)}`)
    }
    const scale = list.flatMap((row): [number, number][] => {
      const own = ours.get(row['Charter number']!)
      return own ? [[Number(own.total_assets) / (Number(row['Total assets']) / 1000), 1]] : []
    })
    t.ok(agreement(scale, 0.15).share >= 0.99, 'assets within 15 %')
  },
)
