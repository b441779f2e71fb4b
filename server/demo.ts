/** The synthetic universe that stands in until data is loaded. */

import { beginningOf, buildDemo, type DemoOptions } from '../sql/demo/index.ts'
import { derive } from '../sql/universes/index.ts'
import { beginBuild } from './engine/build.ts'
import type { Engine, Logger } from './engine/engine.ts'
import { currentPublication } from './engine/publications.ts'
import { progressLines, say } from './progress.ts'
import { loadsOf } from './published.ts'
import { publishing } from './publishing.ts'
import { deriveAndScore } from './training.ts'

/** Seconds between two lines about a build that nobody waits for. */
const BESIDE_SECONDS = 20

/** The demo universe while it is built. */
export interface Demo {
  /** Never rejects: null, or what the build failed with. */
  readonly ended: Promise<{ readonly error: unknown } | null>
}

/** Begins the demo universe if it is wanted and nothing was ever published; else null. */
export async function beginDemo(engine: Engine, log: Logger): Promise<Demo | null> {
  const wanted = engine.config.demo && (await currentPublication(engine)) === null
  return wanted ? continueDemo(engine, log) : null
}

/** Builds what is missing of the demo universe. */
export function continueDemo(engine: Engine, log: Logger): Demo {
  const ended = completeDemo(engine, { quarters: engine.config.demoQuarters }, log, say).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  return { ended }
}

/**
 * Publishes what is missing of the demo universe, and nothing where anything else was ever loaded. Where there is no
 * data at all its latest quarters come first, as the whole takes minutes on a small machine; the whole is built beside
 * the readers, a statement with one thread at a time. A load need not wait for either: it ends the build, and what it
 * publishes is the end of the demo.
 * @param tell writes a line to whoever watches the start
 */
export async function completeDemo(
  engine: Engine,
  whole: DemoOptions,
  log: Logger,
  tell: (line: string) => void,
): Promise<void> {
  for (let next = await missing(engine, whole); next; next = await missing(engine, whole)) {
    const { universe, beside } = next
    const build = await beginBuild(
      engine,
      {
        ...publishing,
        ...{ synthetic: true, empty: true, yields: true, what: 'the demo universe' },
        waitSeconds: Number.POSITIVE_INFINITY,
      },
      log,
    )
    try {
      // another may have published while this one waited for its turn
      const now = await missing(engine, whole)
      if (now?.universe.quarters !== universe.quarters) {
        await build.discard()
        continue
      }
      tell(
        beside
          ? `Building all ${universe.quarters} quarters of the synthetic demo universe meanwhile.`
          : `No data is loaded: building the synthetic demo universe, at first the latest quarters of its banks.`,
      )
      const [what, every, atOnce] = beside
        ? (['whole demo', BESIDE_SECONDS, 1] as const)
        : (['demo', undefined, undefined] as const)
      await buildDemo(build, universe, progressLines(what, every), atOnce)
      const progress = progressLines(`${what}, deriving`, every)
      const options = atOnce === undefined ? {} : { atOnce }
      if (universe.banksAlone) await derive(build, 'all', progress, { ...options, newest: FIRST_QUARTERS })
      else await deriveAndScore(build, progress, options)
      await build.publish()
      if (beside) tell(`The demo universe has all its ${universe.quarters} quarters.`)
    } catch (error) {
      const held = await build.held().catch(() => true)
      await build.discard().catch(() => {})
      if (held) throw error
      log.info({}, 'another build ended that of the demo universe')
    }
  }
}

/** Quarters that are derived at first: the latest alone, for an answer as soon as may be. */
const FIRST_QUARTERS = 1

interface Step {
  readonly universe: DemoOptions
  /** Whether it is built beside readers, who have something to read already. */
  readonly beside: boolean
}

async function missing(engine: Engine, whole: DemoOptions): Promise<Step | null> {
  const publication = await currentPublication(engine)
  const { files, demoQuarters } = publication
    ? await loadsOf(engine, publication)
    : { files: 0, demoQuarters: 0 }
  if (files === 0) return { universe: beginningOf(whole), beside: false }
  if (!publication!.synthetic || demoQuarters >= whole.quarters) return null
  return { universe: whole, beside: true }
}
