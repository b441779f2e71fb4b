import { prepareControl } from '../../server/engine/control.ts'
import type { Engine } from '../../server/engine/engine.ts'
import type { Address } from '../../sql/sources/fetch.ts'
import { amongOf, type FetchedSource, fetchingOf, heldState, lackingSettings } from '../fetch/fetching.ts'
import { type FetchState, readState } from '../fetch/state.ts'
import { silent } from '../lib/progress.ts'

/** What a refresh would ask for, and why. */
export interface Intended {
  source: string
  name: string
  asks: boolean
  why: string
}

/** Says what a refresh would ask; nobody is asked. What an answer would name in turn is not known before. */
export async function dryRun(
  engine: Engine,
  sources: readonly FetchedSource[],
  now: Date,
): Promise<Intended[]> {
  await prepareControl(engine)
  const intended: Intended[] = []
  for (const source of sources) {
    const { key } = source
    const lacking = lackingSettings(source, engine.config)
    if (lacking.length > 0) {
      intended.push({ source: key, name: '', asks: false, why: `${lacking.join(' and ')} not set` })
      continue
    }
    const state = await readState(engine, key)
    const held = await heldState(engine, key, state)
    const among = await amongOf(engine, source)
    const how = { state: held, folder: '', progress: silent, now, among }
    const { fetch, asked } = fetchingOf(source, engine.config, how)
    for (const address of fetch.addresses(asked)) {
      const known = held.get(address.name)
      const asks = !(address.settled && known)
      intended.push({ source: key, name: address.name, asks, why: reason(address, known, state) })
    }
  }
  return intended
}

function reason(
  { aside, settled, pages, name }: Address,
  held: FetchState | undefined,
  state: ReadonlyMap<string, FetchState>,
): string {
  if (aside) return 'names what there is'
  const before = state.get(name)
  if (before?.failingSince) return `failed since ${before.failingSince}: ${before.lastFailure}`
  if (!held) return before?.sha256 ? 'was loaded once, and is not held any more' : 'was never loaded'
  const since = `loaded ${held.lastNew}`
  if (settled) return `${since}, and does not change`
  const asked = `${since}; what is there now is compared by`
  if (pages && held.edition) return `${asked} its edition (${held.edition})`
  if (held.etag) return `${asked} its ETag (${held.etag})`
  return held.lastModified ? `${asked} its date (${held.lastModified})` : `${asked} its content`
}
