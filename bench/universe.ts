/** What there is to ask about: read from the server under test, so that the same code serves any data. */

import { metrics } from '../sql/formula/metrics/index.ts'
import { headline } from '../sql/universes/bank/headline.ts'
import type { Families } from './families/families.ts'

export interface Universe {
  readonly dataVersion: string
  readonly quarters: number
  readonly firstQuarter: string
  readonly asOf: string
  /** Of the latest quarter that filed every quarter, in an order without meaning. */
  readonly banks: readonly number[]
  readonly banksNow: number
  /** Of the latest quarter, the largest first. */
  readonly bySize: readonly number[]
  /** Filings over all quarters. */
  readonly filings: number
  /** The state with the most banks, and the total assets of its 67th and 68th largest. */
  readonly screen: { readonly state: string; readonly least: number; readonly below: number }
  /** States with about 459 filings a quarter together. */
  readonly panelStates: readonly string[]
  readonly panelRows: number
  /** Left out where no workload asks about them. */
  readonly families?: Families
}

/** Without those of a tier: datasets of the other tiers lack them, and so do the peers, which hold what these answer. */
const catalog = metrics.filter(({ tier }) => !tier)

/** 100 metrics of the catalog, the headline ones first: what every contestant holds of each quarter. */
export const hundredMetrics: readonly string[] = [
  ...headline,
  ...catalog.map(({ key }) => key).filter((key) => !(headline as readonly string[]).includes(key)),
].slice(0, 100)

export const allMetrics: readonly string[] = catalog.map(({ key }) => key)

/** Rows that W2 answers, and that W6 does of each quarter on average: about 500 banks over their lives. */
const SCREENED = 67
const PANEL_A_QUARTER = 459

type Get = (path: string) => Promise<Response>

export async function readUniverse(get: Get): Promise<Universe> {
  const directory = await columns(
    get,
    '/api/v1/banks/?format=columns&fields=rssd_id,hq_state,active,first_quarter,report_date,total_assets',
  )
  const { data, meta } = directory
  const at = (name: string): unknown[] => data[name]!
  const ids = at('rssd_id') as number[]
  const states = at('hq_state') as string[]
  const first = at('first_quarter') as string[]
  const last = at('report_date') as string[]
  const assets = at('total_assets') as (number | null)[]
  const firstQuarter = [...first].sort()[0]!
  const asOf = [...last].sort().at(-1)!
  const live = ids.flatMap((_, i) => (at('active')[i] ? [i] : []))
  const filingsOf = (i: number): number => quartersBetween(first[i]!, last[i]!)
  const byState = new Map<string, { filings: number; assets: number[] }>()
  for (const i of ids.keys()) {
    const state = byState.get(states[i]!) ?? { filings: 0, assets: [] }
    state.filings += filingsOf(i)
    if (at('active')[i]) state.assets.push(assets[i] ?? 0)
    byState.set(states[i]!, state)
  }
  const filings = ids.reduce((sum, _, i) => sum + filingsOf(i), 0)
  const quarters = quartersBetween(firstQuarter, asOf)
  return {
    dataVersion: String(meta.data_version),
    quarters,
    firstQuarter,
    asOf,
    banks: shuffled(live.filter((i) => first[i] === firstQuarter).map((i) => ids[i]!)),
    banksNow: live.length,
    bySize: [...live].sort((a, b) => (assets[b] ?? 0) - (assets[a] ?? 0)).map((i) => ids[i]!),
    filings,
    screen: screenOf(byState),
    ...panelOf(byState, quarters * PANEL_A_QUARTER),
  }
}

function screenOf(byState: ReadonlyMap<string, { assets: readonly number[] }>): Universe['screen'] {
  const [state, { assets }] = [...byState].sort(([, a], [, b]) => b.assets.length - a.assets.length)[0]!
  const sorted = [...assets].sort((a, b) => b - a)
  const last = Math.min(SCREENED, sorted.length - 1)
  return { state, least: sorted[last - 1]!, below: sorted[last]! }
}

/** Smallest states last: the sum comes near to what is wanted from below. */
function panelOf(byState: ReadonlyMap<string, { filings: number }>, wanted: number) {
  const panelStates: string[] = []
  let panelRows = 0
  for (const [state, { filings }] of [...byState].sort(([, a], [, b]) => b.filings - a.filings)) {
    if (panelRows + filings > wanted) continue
    panelStates.push(state)
    panelRows += filings
  }
  return { panelStates: panelStates.sort(), panelRows }
}

async function columns(get: Get, path: string) {
  const answer = await get(path)
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 500)}`)
  return (await answer.json()) as { data: Record<string, unknown[]>; meta: Record<string, unknown> }
}

const ordinal = (day: string): number => Number(day.slice(0, 4)) * 4 + Math.ceil(Number(day.slice(5, 7)) / 3)
const quartersBetween = (first: string, last: string): number => ordinal(last) - ordinal(first) + 1

/** An order that is the same in every run. */
export function shuffled<T>(list: readonly T[], seed = 1): T[] {
  const copy = [...list]
  let state = seed
  for (let i = copy.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const j = Math.floor((state / 2 ** 32) * (i + 1))
    ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
  }
  return copy
}
