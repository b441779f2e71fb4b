import { basename } from 'node:path'
import type { Engine } from '../../server/engine/engine.ts'
import type { EditionOutcome } from '../lib/load-edition.ts'
import { silent } from '../lib/progress.ts'
import type { LoadOutcome } from '../lib/run.ts'
import type { Collected } from './collect.ts'
import { type FetchedSource, fetchingOf } from './fetching.ts'
import { type Came, type SourceState, stateAfter, writeState } from './state.ts'

/** Writes down what became of asking a source, and of loading what came. @returns it, by file */
export async function recordFetch(
  engine: Engine,
  of: {
    source: FetchedSource
    /** Where its files were put. */
    folder: string
    /** Before. */
    state: SourceState
    collected: Collected
    loaded: LoadOutcome | undefined
    now: Date
  },
): Promise<Came[]> {
  const { source, state, collected, loaded } = of
  const { key, fetch } = source
  // anybody may read it: neither folders of this machine nor addresses of its network are told
  const { base } = fetchingOf(source, engine.config, { ...of, progress: silent })
  const publicly = (reason: string) => reason.replaceAll(`${of.folder}/`, '').replaceAll(base, fetch.base)
  const came = outcomesOf(collected, loaded).map((one) =>
    one.came === 'failed' ? { ...one, reason: publicly(one.reason) } : one,
  )
  const at = of.now.toISOString()
  const rows = came.map((one) => stateAfter(state.get(one.name), one, at))
  const failed = rows.filter(({ failingSince }) => failingSince !== null)
  const whole = stateAfter(state.get(''), { came: 'same', name: '' }, at)
  if (came.some((one) => one.came === 'new')) whole.lastNew = at
  if (failed.length > 0) {
    whole.lastFailed = at
    whole.lastFailure = sentence(came)
    // what goes on failing is not forgotten because other files came
    whole.failingSince = failed.map(({ failingSince }) => failingSince!).sort()[0]!
  }
  await writeState(engine, key, [...rows, whole])
  return came
}

/** What became of each file: what could not be loaded failed, whatever the publisher said. */
function outcomesOf(collected: Collected, loaded: LoadOutcome | undefined): Came[] {
  const editions = new Map<string, EditionOutcome[]>()
  const all = (loaded?.editions ?? []).map((edition) => {
    const named = [basename(edition.name), ...edition.name.split(', ')]
    return { edition, of: collected.files.filter(({ name }) => named.includes(name)) }
  })
  const named = new Set(all.flatMap(({ of }) => of))
  // an edition of several files may have a name of its own: it is of those that no other names
  const others = collected.files.filter((file) => !named.has(file))
  for (const { edition, of } of all)
    for (const { name } of of.length > 0 ? of : others)
      editions.set(name, [...(editions.get(name) ?? []), edition])
  const failed = new Set(collected.failed.map(({ name }) => name))
  return [
    ...collected.files.map(({ path, ...file }): Came => {
      const of = editions.get(file.name) ?? []
      const fault = of.find(({ status }) => status === 'failed')
      if (fault)
        return { came: 'failed', name: file.name, reason: fault.inner ? INNER_FAULT : (fault.reason ?? '') }
      const isThere = of.length > 0 && of.every(({ status }) => status === 'already-there')
      if (isThere) return { came: 'same', ...file }
      // a file that comes anew may lie in another edition than before
      const heldIn = of.find(({ sha256 }) => sha256 !== undefined)?.sha256 ?? file.sha256
      return { came: 'new', ...file, heldIn }
    }),
    ...collected.same.map((file): Came => ({ came: 'same', ...file })),
    ...collected.failed.map((one): Came => ({ came: 'failed', ...one })),
    // of a file that came, but not all that it names, the latter counts
  ].filter((one) => one.came === 'failed' || !failed.has(one.name))
}

/** What such a fault says is told to whoever runs the load, and shown to nobody else. */
const INNER_FAULT = 'its load failed for no fault of the file: what was said then tells why'

const SAID = 3

function sentence(came: readonly Came[]): string {
  const failed = came.flatMap((one) => (one.came === 'failed' ? [`${one.name}: ${one.reason}`] : []))
  const more = failed.length > SAID ? `; and ${failed.length - SAID} more` : ''
  return failed.slice(0, SAID).join('; ') + more
}
