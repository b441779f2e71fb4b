import { test } from 'tap'
import { differences } from '../../bench/answers.ts'
import type { Question } from '../../bench/question.ts'
import type { Universe } from '../../bench/universe.ts'
import { deal, workloads } from '../../bench/workloads.ts'

const series: Question = { kind: 'series', bank: 1, from: '2025-03-31', metrics: ['roa'] }

test('another figure, a row too few and nothing at all are differences; the last bit is none', async (t) => {
  const rows = [
    { report_date: '2025-03-31', roa: 1.1 },
    { report_date: '2025-06-30', roa: null },
  ]
  t.same(differences(series, rows, [{ ...rows[0]!, roa: 1.1 + 1e-12 }, rows[1]!]), [])
  t.same(differences(series, rows, [rows[0]!, { report_date: '2025-06-30' }]), [], 'null may be left out')
  t.match(differences(series, rows, [rows[0]!, { ...rows[1]!, roa: 0 }]), [/row 2, roa: 0, expected null/])
  t.match(differences(series, rows, [rows[1]!, rows[0]!]), [/row 1/, /row 1/, /row 2/], 'the order counts')
  t.match(differences(series, rows, rows.slice(1)), [/1 rows, expected 2/, /row 1/, /row 1/])
  t.match(differences(series, [], []), [/nothing to compare/])
})

test('ranks and summaries are the same, long or wide', async (t) => {
  const rank: Question = { kind: 'rank', bank: 1, metrics: ['roa', 'nim'] }
  const long = [
    { metric: 'roa', value: 1, rank: 2, ranked: 9, percentile: 80, cohort_size: 10 },
    { metric: 'nim', value: null, rank: null, ranked: 8, percentile: null, cohort_size: 10 },
  ]
  const wide = {
    banks: 10,
    ...{ roa_value: 1, roa_rank: 2, roa_ranked: 9, roa_percentile: 80 },
    ...{ nim_value: null, nim_rank: null, nim_ranked: 8, nim_percentile: null },
  }
  t.same(differences(rank, long, [wide]), [])
  t.match(differences(rank, long, [{ ...wide, nim_rank: 0 }]), [/row 2, rank: 0, expected null/])

  const summary: Question = { kind: 'summary', metrics: ['roa'] }
  const five = { count: 3, min: 1, p25: 1.5, median: 2, p75: 2.5, max: 3 }
  const tiers = [
    { tier: 'under_100m', metric: 'roa', ...five },
    { tier: 'over_100b', metric: 'roa', ...five },
  ]
  const others = [
    { cohort: 'over_100b', roa_count: 3, roa_five: [1, 1.5, 2, 2.5, 3] },
    { cohort: 'under_100m', roa_count: 3, roa_five: [1, 1.5, 2, 2.5, 3] },
  ]
  t.same(differences(summary, tiers, others), [])
  others[1]!.roa_five[1] = 1.4
  t.match(differences(summary, tiers, others), [/row 1, p25: 1.4, expected 1.5/])
})

test('what is new in a cell was asked in no other, nor compared, seen or used to warm up', async (t) => {
  const some = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const universe: Universe = {
    dataVersion: 'x',
    quarters: 100,
    firstQuarter: '2001-09-30',
    asOf: '2026-06-30',
    banks: some(2_000),
    bySize: [1],
    banksNow: 4_500,
    filings: 450_000,
    screen: { state: 'TX', least: 500_000, below: 499_000 },
    panelStates: ['IA', 'TX'],
    panelRows: 45_000,
    families: {
      unions: some(1_000),
      branches: some(600),
      complaints: some(1_000).map((bank) => ({
        ...{ bank, cursor: `page ${bank}` },
        after: { received_date: '2026-06-30', complaint_id: bank },
      })),
      facts: some(100),
      factors: some(600),
      watched: some(1_000),
    },
  }
  for (const workload of workloads) {
    const { compared, seen, warmUp, fresh } = deal(workload, universe, 2)
    const all = [...compared, ...seen, ...warmUp, ...fresh.flat()]
    t.ok(fresh.every((cell) => cell.length > 0))
    t.equal(new Set(all).size, all.length, `${workload.key}: every index once`)
    // those of small answers by the thousand; two that are the same would be found in any of them
    const first = all.slice(0, 600)
    const questions = new Set(first.map((i) => JSON.stringify(workload.ask(universe, i))))
    t.equal(questions.size, first.length, `${workload.key}: every question another one`)
  }
})
