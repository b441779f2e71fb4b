/** Institutions to look at in examples: of each kind the largest of the newest quarter, as far as one is held. */
import type { Universe } from '../../sql/derive/universe.ts'
import type { Entities } from './describe.ts'

/** @param rows runs a SELECT in the version database */
export async function exampleInstitutions(
  rows: (sql: string) => Promise<{ id: string }[]>,
  universes: readonly Universe[],
): Promise<Entities> {
  const found: Record<string, string> = {}
  for (const { entity, id, tables, cohorts } of universes) {
    const [one] = await rows(
      `SELECT toString(${id}) AS id FROM ${tables.directory} WHERE active ORDER BY ${cohorts.metric} DESC, ${id} LIMIT 1`,
    )
    if (one) found[entity] = one.id
  }
  return found
}
