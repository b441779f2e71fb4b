import { usuallyAtOnce } from '../derive/runner.ts'
import { quoted } from '../quoted.ts'
import { writtenBy } from '../steps/changes.ts'
import { type Making, makeAtOnce, makeSteps, type Step } from '../steps/steps.ts'
import { type Linked, type LinkTables, linkSql, type Named } from './find.ts'
import { CERTIFICATE } from './link.ts'
import { bareName, barePlace } from './names.ts'

const definition = `(
    source LowCardinality(String),
    relation LowCardinality(String),
    own String,
    entity LowCardinality(String),
    entity_id Nullable(UInt32),
    method LowCardinality(String),
    score Float32,
    evidence String,
    candidates Array(UInt32)
) ENGINE = MergeTree PARTITION BY (relation, entity, source) ORDER BY (relation, own)`

const served: LinkTables = {
  ...{ links: 'links', names: 'entity_names', aliases: 'entity_aliases', owns: 'link_owns' },
}
const namesDefinition = `(
    kind LowCardinality(String),
    id UInt32,
    cert Nullable(UInt32),
    numbers Array(String),
    name String,
    city String,
    state String,
    until Nullable(Date32),
    bare String,
    place String,
    alias Bool,
    size Float64
) ENGINE = MergeTree ORDER BY (kind, id)`

/**
 * Makes the table `links`: for each name or number of a source the institution that it means, how that was found, how sure
 * it is, and why. `entity_id` is NULL where it is not certain; `candidates` then has who it might be. And a view
 * `linked_<relation>` of each table: its rows with the number of their institution.
 */
export async function writeLinks(
  making: Making,
  linked: readonly Linked[],
  kinds: readonly Named[],
): Promise<void> {
  // nobody has a size before figures are derived
  const found = await making.client.query({
    query: 'SELECT name FROM system.tables WHERE database = currentDatabase()',
    format: 'JSONEachRow',
  })
  const tables = new Set((await found.json<{ name: string }>()).map(({ name }) => name))
  const sized = kinds.map((kind) =>
    tables.has(kind.tables?.directory ?? '') ? kind : { ...kind, tables: undefined },
  )
  const { before, links, views } = linkSteps(linked, sized)
  await makeSteps(making, before)
  await makeAtOnce(making, links, usuallyAtOnce)
  for (const query of views) await making.client.command({ query })
  making.changes?.written(views.flatMap(writtenBy))
}

/** Steps before the links, one for each, and the views of their tables. */
export const linkSteps = (linked: readonly Linked[], kinds: readonly Named[]) => {
  const follows = linked.map(({ source, relation, entity }) => `${source} ${relation} ${entity}`).join(', ')
  return {
    before: [
      // the links of what is no longer declared go with the table
      { name: 'links', makes: { [served.links]: definition }, fill: [], follows },
      namesStep(kinds, served),
    ],
    links: linked.map((one, at): Step => {
      const { source, relation, entity } = one
      return {
        name: `links ${source} ${relation} ${entity}`,
        within: {
          table: served.links,
          partition: `(${[relation, entity, source].map(quoted).join(', ')})`,
        },
        // of a source without rows nobody is named, and the engine's analysis is most of the work
        needs: [relation],
        fill: linkStatements(one, kinds, { ...served, owns: `${served.owns}_${at}` }),
        follows: definition + follows,
      }
    }),
    views: [...new Set(linked.map(({ relation }) => relation))].map((name) =>
      linkedView(
        linked.filter(({ relation }) => relation === name),
        kinds,
      ),
    ),
  }
}

const namesStep = (kinds: readonly Named[], { names, aliases }: LinkTables): Step => ({
  name: names,
  makes: { [names]: namesDefinition, [aliases]: namesDefinition },
  fill: kinds.flatMap((kind) => [
    ...(kind.names ? [`INSERT INTO ${names} ${namesSql(kind, kind.names, false)}`] : []),
    ...(kind.aliases ? [`INSERT INTO ${aliases} ${namesSql(kind, aliasNames(kind.aliases), true)}`] : []),
  ]),
})

const linkStatements = (one: Linked, kinds: readonly Named[], tables: LinkTables): string[] => [
  `CREATE OR REPLACE TABLE ${tables.owns} ENGINE = MergeTree ORDER BY own AS ${ownsSql(one)}`,
  `INSERT INTO ${tables.links} ${linkSql(one, kindOf(one, kinds), tables)}`,
  `DROP TABLE ${tables.owns} SYNC`,
]

/** A step that needs links before those that are served can be made: `fill` reads them in `link_draft`. */
export function draftStep(
  step: Pick<Step, 'name' | 'makes' | 'needs' | 'fill'>,
  linked: readonly Linked[],
  kinds: readonly Named[],
): Step {
  const tables: LinkTables = {
    ...{
      links: LINK_DRAFT,
      names: `${LINK_DRAFT}_names`,
      aliases: `${LINK_DRAFT}_aliases`,
      owns: `${LINK_DRAFT}_owns`,
    },
  }
  const names = namesStep(kinds, tables)
  const drafts = { ...names.makes, [tables.links]: definition }
  return {
    ...step,
    fill: [
      ...Object.entries(drafts).map(([table, made]) => `CREATE OR REPLACE TABLE ${table} ${made}`),
      ...names.fill,
      ...linked.flatMap((one) => linkStatements(one, kinds, tables)),
      ...step.fill,
      ...Object.keys(drafts).map((table) => `DROP TABLE ${table} SYNC`),
    ],
  }
}

/** Links of a `draftStep`, as `links` has them. */
export const LINK_DRAFT = 'link_draft'

function kindOf({ relation, entity }: Linked, kinds: readonly Named[]): Named {
  const kind = kinds.find((one) => one.entity === entity)
  if (!kind?.names) throw new Error(`${relation} links to ${entity}, of which no names are known`)
  return kind
}

const aliasNames = (aliases: string): string =>
  `SELECT id, CAST(NULL AS Nullable(UInt32)) AS cert, name, '' AS city, '' AS state, CAST(NULL AS Nullable(Date32)) AS until FROM (${aliases})`

function namesSql(
  { entity, id, idLabel = id, numbers, tables, cohorts }: Named,
  names: string,
  alias: boolean,
): string {
  const sizes =
    tables && cohorts
      ? `SELECT ${id} AS id, ${cohorts.metric} AS size FROM ${tables.directory}`
      : 'SELECT toUInt32(0) AS id, 0. AS size'
  return `
SELECT ${quoted(entity)} AS kind, n.id AS id, n.cert AS cert,
  arrayDistinct(arrayConcat([concat(${quoted(`${idLabel} `)}, toString(n.id))],
    arrayMap(one -> concat('${CERTIFICATE} ', toString(one)), groupUniqArray(n.cert) OVER (PARTITION BY n.id)), m.numbers)) AS numbers,
  name, city, state, max(n.until) OVER (PARTITION BY n.id) AS until, ${bareName('name')} AS bare, ${barePlace('city')} AS place,
  ${alias} AS alias, ifNull(s.size, 0) AS size
FROM (${names}) AS n
LEFT ANY JOIN (SELECT id, groupUniqArray(number) AS numbers FROM (${numbers ?? "SELECT toUInt32(0) AS id, '' AS number"}) GROUP BY id) AS m ON m.id = n.id
LEFT ANY JOIN (${sizes}) AS s ON s.id = n.id`
}

const ownsSql = (one: Linked): string => `
SELECT own, arrayDistinct(arrayFlatten(groupArray(given_numbers))) AS numbers, ${one.weight ? 'argMax(given_name, given_weight)' : 'any(given_name)'} AS name, any(given_city) AS city, any(given_state) AS state,
  max(given_end) AS ended, max(given_day) AS seen, former, ${bareName('name')} AS bare, ${barePlace('city')} AS place
FROM (
  SELECT ${one.own} AS own, arrayJoin(arrayConcat([(toString(ifNull(${one.name}, '')), false)], ${one.former ? `arrayMap(name -> (name, true), ${one.former})` : '[]'})) AS named,
    named.1 AS given_name, named.2 AS former, ${one.numbers ?? '[]::Array(String)'} AS given_numbers,${one.weight ? ` ${one.weight} AS given_weight,` : ''}
    toString(ifNull(${one.city ?? "''"}, '')) AS given_city, toString(ifNull(${one.state ?? "''"}, '')) AS given_state,
    CAST(${one.ended ?? 'NULL'} AS Nullable(Date32)) AS given_end, CAST(${one.seen ?? 'NULL'} AS Nullable(Date32)) AS given_day
  FROM ${each(one)}${one.where ? ` WHERE ${one.where}` : ''}
)
GROUP BY own, former, if(former, given_name, '')`

/** The rows, one for each institution that they name. */
const each = ({ relation, parties }: Linked): string =>
  parties ? `(SELECT *, party FROM ${relation} ARRAY JOIN ${parties} AS party)` : relation

/** The view of a table's rows with the number of their institution. */
export const linkedRelation = (relation: string): string => `linked_${relation}`

/** A link of several sources to one kind of institution has one column. */
function linkedView(links: readonly Linked[], kinds: readonly Named[]): string {
  return `
CREATE OR REPLACE VIEW ${linkedRelation(links[0]!.relation)} AS
${linkedSql(links, kinds, served.links)}`
}

/** SQL of the rows of one relation with the numbers of their institutions, by the links in a table. */
export function linkedSql(links: readonly Linked[], kinds: readonly Named[], table: string): string {
  const relation = links[0]!.relation
  const columns = new Map(links.map((one) => [one.entity, one]))
  const joins = [...columns.values()].map(
    (one, k) => `
LEFT ANY JOIN (SELECT own, entity_id FROM ${table} WHERE relation = ${quoted(relation)} AND entity = ${quoted(one.entity)}) AS l${k}
    ON l${k}.own = ${one.own}`,
  )
  const ids = [...columns.values()].map((one, k) => `l${k}.entity_id AS ${one.as ?? kindOf(one, kinds).id}`)
  return `SELECT r.*, ${ids.join(', ')} FROM ${each(links[0]!)} AS r${joins.join('')}`
}
