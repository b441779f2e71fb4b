import type { Universe } from '../derive/universe.ts'
import { hashOf } from '../hash.ts'
import { securityIssuers } from '../sources/sec-securities.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'
import type { Linked, Named } from './find.ts'
import { linkSteps, writeLinks } from './links.ts'
import { creditUnions, holdingCompanies } from './unserved.ts'

/**
 * Makes the table `links`, and then `entities`: every institution that any source knows, by its kind and number. Whoever is
 * not in it does not exist; whoever is may still have filed nothing.
 */
export async function writeEntities(
  making: Making,
  universes: readonly Universe[],
  linked: readonly Linked[],
): Promise<void> {
  await writeLinks(making, linked, [...universes, ...namedOnly(universes)])
  await makeSteps(making, [entitiesStep(universes)])
}

const entitiesStep = (universes: readonly Universe[]): Step => ({
  name: 'entities',
  makes: {
    entities: '(kind LowCardinality(String), id UInt32) ENGINE = MergeTree ORDER BY (kind, id)',
  },
  fill: universes.map((universe) => `INSERT INTO entities ${knownSql(universe)}`),
})

/** Kinds that links may name though no universe of them is served. */
const namedOnly = (universes: readonly Universe[]): Named[] =>
  [holdingCompanies, creditUnions, securityIssuers].filter(
    ({ entity }) => !universes.some((one) => one.entity === entity),
  )

/** Changes when what makes the two tables does. */
export const entitiesHash = (universes: readonly Universe[], linked: readonly Linked[]): string =>
  hashOf([entitiesStep(universes), linkSteps(linked, [...universes, ...namedOnly(universes)])])

/** `kind, id` of those that filed, and of those that other sources know. */
function knownSql({ entity, id, filers, belongs, knownBy }: Universe): string {
  const all = [
    `SELECT ${id} FROM ${filers} WHERE ${belongs}`,
    ...knownBy,
    `SELECT entity_id FROM links WHERE entity = '${entity}'`,
  ]
  const known = all.map((sql) => `SELECT toUInt32(assumeNotNull(*)) AS id FROM (${sql}) WHERE isNotNull(*)`)
  return `SELECT DISTINCT '${entity}' AS kind, id FROM (${known.join(' UNION ALL ')}) WHERE id > 0`
}
