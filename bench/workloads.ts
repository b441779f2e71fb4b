/** The workloads as declarations: what is asked, how it varies, and in which formats. */
import { familyWorkloads } from './families/workloads.ts'
import { identity, panelIdentity } from './question.ts'
import { allMetrics, hundredMetrics, shuffled, type Universe } from './universe.ts'
import type { Workload } from './workload.ts'

const ten = hundredMetrics.slice(0, 10)
/** No headline metrics, which a server may keep nearer at hand than others. */
const tenOthers = hundredMetrics.slice(30, 40)
const sixty = hundredMetrics.slice(0, 60)
/** Answers of this size are asked so often at most in one run. */
const MANY = 20_000
const LARGE = 600

/** So many of the metrics in the catalog's order, another choice for every `i`. */
function choice(count: number, i: number, from = hundredMetrics): string[] {
  const chosen = new Set(shuffled(from, i + 1).slice(0, count))
  return from.filter((key) => chosen.has(key))
}

export const workloads: readonly Workload[] = [
  {
    key: 'W1',
    title: 'snapshot of one bank, all metrics',
    formats: ['json'],
    ask: ({ banks }, i) => ({ kind: 'snapshot', bank: banks[i]! }),
    most: ({ banks }) => banks.length,
    seen: 20,
  },
  {
    key: 'W2',
    title: 'screen by state and least assets, 9 columns',
    formats: ['json'],
    ask: ({ screen: { state, least, below } }, i) => ({
      kind: 'screen',
      columns: ['rssd_id', 'legal_name', 'hq_state', ...hundredMetrics.slice(0, 6)],
      // another threshold between two banks' assets: another request with the same rows
      where: { state, least: Math.round((least - ((least - below) * i) / (2 * MANY)) * 1e6) / 1e6 },
    }),
    most: () => MANY,
    seen: 20,
  },
  {
    key: 'W3',
    title: 'the whole universe, 9 columns',
    formats: ['json'],
    ask: (_, i) => ({ kind: 'screen', columns: ['rssd_id', 'legal_name', 'hq_state', ...choice(6, i)] }),
    most: () => 3_000,
    seen: 20,
  },
  {
    key: 'W4',
    title: 'the whole working set, 100 metrics',
    formats: ['json', 'arrow', 'csv'],
    ask: (_, i) => ({ kind: 'working-set', columns: [...identity, ...choice(100, i, allMetrics)] }),
    most: () => LARGE,
    seen: 1,
  },
  {
    key: 'W5',
    title: 'one bank, all quarters × 10 metrics',
    formats: ['json'],
    ask: ({ banks, firstQuarter }, i) => ({
      kind: 'series',
      bank: banks[i]!,
      from: firstQuarter,
      metrics: ten,
    }),
    most: ({ banks }) => banks.length,
    seen: 20,
  },
  {
    key: 'W5b',
    title: 'the same with 10 metrics that are not headline ones',
    formats: ['json'],
    ofOtherFiles: true,
    ask: ({ banks, firstQuarter }, i) => ({
      kind: 'series',
      bank: banks[i]!,
      from: firstQuarter,
      metrics: tenOthers,
    }),
    most: ({ banks }) => banks.length,
    seen: 20,
  },
  {
    key: 'W6',
    title: 'panel: 20 metrics × all quarters × 500 banks',
    formats: ['json', 'arrow', 'csv'],
    ask: ({ panelStates }, i) => ({ kind: 'panel', states: panelStates, metrics: choice(20, i) }),
    most: () => LARGE,
    seen: 1,
  },
  {
    key: 'W7',
    title: 'live rank of one bank on 60 metrics in its cohort',
    formats: ['json'],
    ask: ({ banks }, i) => ({ kind: 'rank', bank: banks[i]!, metrics: sixty }),
    most: ({ banks }) => banks.length,
    seen: 20,
  },
  {
    key: 'W8',
    title: '5-number summary of 60 metrics in 6 asset tiers',
    formats: ['json'],
    ask: (_, i) => ({ kind: 'summary', metrics: choice(60, i) }),
    most: () => MANY,
    seen: 20,
  },
  {
    key: 'P',
    title: 'panel of all banks × all quarters × 20 metrics',
    formats: ['arrow'],
    ask: (_, i) => ({ kind: 'panel', metrics: choice(20, i) }),
    most: () => 60,
    seen: 1,
    only: ['ours', 'clickhouse'],
  },
  ...familyWorkloads,
]

/** Every column of the quarters' table that the contestants hold. */
export const historyColumns = [...panelIdentity, ...hundredMetrics]

/** Which requests serve what in a run, so that none of the new ones was ever asked before. */
export interface Shares {
  /** Asked one by one, and compared. */
  readonly compared: readonly number[]
  readonly seen: readonly number[]
  readonly warmUp: readonly number[]
  /** One list for each number of connections. */
  readonly fresh: readonly (readonly number[])[]
}

/** Deals out the requests of a workload. */
export function deal(workload: Workload, universe: Universe, cells: number): Shares {
  const most = workload.most(universe)
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
  const compared = range(0, Math.min(2, most))
  const seen = range(compared.length, compared.length + workload.seen)
  const begin = compared.length + workload.seen
  const warmEnd = begin + Math.max(1, Math.floor((most - begin) * 0.15))
  const each = Math.floor((most - warmEnd) / cells)
  const fresh = Array.from({ length: cells }, (_, i) => range(warmEnd + i * each, warmEnd + (i + 1) * each))
  return { compared, seen, warmUp: range(begin, warmEnd), fresh }
}
