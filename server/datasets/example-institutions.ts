/** Institutions to look at in examples: of each kind the largest of the newest quarter, as far as one is held. */
import type { Entities } from './document.ts'
import type { EntityKind } from './parameters.ts'

const largest: Readonly<Record<EntityKind, string>> = {
  bank: 'SELECT toString(rssd_id) AS id FROM banks WHERE active ORDER BY total_assets DESC, rssd_id LIMIT 1',
}

/** @param rows runs a SELECT in the version database */
export async function exampleInstitutions(
  rows: (sql: string) => Promise<{ id: string }[]>,
): Promise<Entities> {
  const found: Partial<Record<EntityKind, string>> = {}
  for (const [kind, sql] of Object.entries(largest) as [EntityKind, string][]) {
    const [one] = await rows(sql)
    if (one) found[kind] = one.id
  }
  return found
}
