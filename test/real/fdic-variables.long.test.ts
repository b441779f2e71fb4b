import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { fdicVariable, metrics } from '../../sql/formula/metrics/index.ts'
import { noRealData, realData, realQuarters } from './quarters.ts'

/** FDIC's own values of 43 variables for every bank, of two dates; with what comes before them in the year. */
const dates = ['2018-06-30', '2018-12-31']
const quarters = ['2017-12-31', '2018-03-31', '2018-06-30', '2018-09-30', '2018-12-31']
const file = (date: string) => `fdic-sdi/all-banks-43-variables-${date.replaceAll('-', '')}.csv.xz`
const columnsFile = 'fdic-sdi/all-banks-43-variables.columns'

const noXz = (() => {
  try {
    execFileSync('xz', ['--version'])
    return false
  } catch {
    return 'xz is not there'
  }
})()
const skip = noRealData(...dates.map(file), columnsFile, 'ffiec-call-report') || noXz

/** Who the bank is; and tier 1 capital to risk-weighted assets, of which both files have NA for every bank. */
const withoutFigures = ['cert', 'name', 'namehcr', 'rbc1rwaj']

/** These files divide noncurrent loans by loans gross of unearned income and leave a bank without loans empty; BankFind does neither. */
const otherMetric: Record<string, string> = { nclnlsr: 'ubpr_noncurrent_loans_ratio' }

const merged = 'took over another bank in the year: FDIC counts other balances before that in its averages'

/** Banks whose figures differ in any variable at either date, and why. */
const known: Record<string, string> = {
  28723: 'First Savings Bank: its filings were replaced in September 2020, after these values were taken',
  628: 'JPMorgan Chase Bank: the filing of June was replaced in July 2020, $26 million of loans are of another kind',
  27334: "People's United Bank: the filing of December was replaced in July 2020",
  14195: 'Farmers Trust & Savings Bank: the filing of December was replaced in July 2020',
  34468: 'Two Rivers Bank: the filing of December was replaced in November 2020',
  23702: 'Chase Bank USA: FDIC takes the total capital ratio of the advanced approaches where that is lower',
  57890: 'HSBC Bank USA: as Chase Bank USA',
  639: 'The Bank of New York Mellon: as Chase Bank USA',
  25890: 'Wells Fargo Bank, Ltd.: as Chase Bank USA',
  17798: `Brookline Bank ${merged}`,
  26451: `Fidelity Co-operative Bank ${merged}`,
  29617: `First Mutual Bank, FSB ${merged}`,
  25894: `First National Bank ${merged}`,
  23474: `The American National Bank of Texas ${merged}`,
}

t.test('43 variables as FDIC publishes them, for every bank', { skip, timeout: 900_000 }, async (t) => {
  const rows = await realQuarters(t, quarters)
  const columns = readFileSync(realData + columnsFile, 'utf8')
    .trim()
    .split(/\s+/)
  t.equal(columns.length, 43)
  for (const date of dates) {
    const text = execFileSync('xz', ['-dc', realData + file(date)], { maxBuffer: 1 << 28 })
    const fdic = parse(text, { columns: () => columns, from_line: 3 }) as Record<string, string>[]
    const banks = new Map(
      (
        await rows<Record<string, number | null> & { cert: number }>(
          `SELECT * FROM bank_quarters WHERE report_date = '${date}'`,
        )
      ).map((bank) => [bank.cert, bank]),
    )
    const pairs = fdic.flatMap((theirs) => {
      const ours = banks.get(Number(theirs.cert))
      return ours ? [{ ours, theirs }] : []
    })
    t.ok(pairs.length >= 5400, `${date}: ${pairs.length} of ${fdic.length} banks`)
    for (const column of columns.filter((one) => !withoutFigures.includes(one))) {
      const other = otherMetric[column]
      const metric = metrics.find((one) =>
        other ? one.key === other : fdicVariable(one) === column.toUpperCase(),
      )
      if (metric === undefined) {
        t.fail(`${column} is no metric`)
        continue
      }
      const within = metric.unit === 'percent' ? 0.01 : 0
      const apart = pairs.filter(({ ours, theirs }) => {
        const [own, other] = [ours[metric.key] ?? null, theirs[column] === '' ? null : Number(theirs[column])]
        return own === null || other === null ? own !== other : Math.abs(own - other) > within + 1e-9
      })
      // FDIC has no ratio of consumer loans other than cards where all of them are automobile loans; ours is theirs.
      const automobileOnly = ({ ours }: (typeof pairs)[number]) =>
        metric.key.includes('other_consumer') && ours.other_consumer_loans === ours.auto_loans
      const share = 1 - apart.length / pairs.length
      t.comment(`${date} ${column} ${metric.key}: ${(100 * share).toFixed(2)} %, ${apart.length} differ`)
      t.ok(share >= 0.995, `${date} ${metric.key} is ${column}`)
      const unexplained = apart.filter((pair) => !(pair.theirs.cert! in known) && !automobileOnly(pair))
      t.same(
        unexplained.map(({ ours, theirs }) => `${theirs.cert}: ${ours[metric.key]}, FDIC ${theirs[column]}`),
        [],
      )
    }
  }
})
