import {
  type DeriveOptions,
  type DeriveProgress,
  type DeriveReport,
  deriveUniverse,
} from '../derive/derive.ts'
import { writeReference } from '../derive/reference.ts'
import { summariesView } from '../derive/summaries.ts'
import { universeHash } from '../derive/tables.ts'
import type { Universe } from '../derive/universe.ts'
import { hashOf } from '../hash.ts'
import type { Making } from '../steps/steps.ts'
import { banks } from './bank/index.ts'
import { creditUnions } from './credit-union/index.ts'
import { holdingCompanies } from './holding-company/index.ts'

export type { DeriveOptions, DeriveProgress, DeriveReport } from '../derive/derive.ts'

/** Every universe that is served. */
export const universes: readonly Universe[] = [banks, creditUnions, holdingCompanies]

/** Changes when a declaration of any of them does. */
export const catalogHash: string = hashOf(
  universes.map((universe) => [universeHash(universe), summariesView(universe)]),
)

/** Quarters whose filings were loaded, replaced or removed: in every universe, or in those that are named. */
export type Changed = 'all' | readonly string[] | Readonly<Record<string, 'all' | readonly string[]>>

/** By universe, the quarters that sources changed: those of the sources that its filings come from. */
export const changedIn = (
  of: readonly Universe[],
  bySource: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    of.map(({ entity, sources }) => [entity, [...new Set(sources.flatMap((key) => bySource[key] ?? []))]]),
  )

/**
 * Recomputes what is derived in each universe: see `deriveUniverse`. One whose filings and declaration are as they were
 * is left alone.
 *
 * @param options.of in place of the universes that are served
 * @returns what was done, of all universes together
 */
export async function derive(
  making: Making,
  changed: Changed,
  progress: DeriveProgress = () => {},
  { of = universes, ...options }: DeriveOptions & { of?: readonly Universe[] } = {},
): Promise<DeriveReport> {
  making.changes?.written()
  await writeReference(making, of)
  const total: DeriveReport = { pivoted: [], derived: [], removed: [], milliseconds: 0 }
  for (const [at, universe] of of.entries()) {
    const own =
      typeof changed === 'object' && !Array.isArray(changed)
        ? ((changed as Record<string, 'all' | string[]>)[universe.entity] ?? [])
        : (changed as 'all' | string[])
    const tell: DeriveProgress = (step, done) => progress(step, (at + done) / of.length)
    const { milliseconds, ...report } = await deriveUniverse(making, universe, own, tell, options)
    total.milliseconds += milliseconds
    for (const [what, quarters] of Object.entries(report) as [keyof typeof report, string[]][])
      total[what] = [...new Set([...total[what], ...quarters])].sort()
  }
  return total
}
