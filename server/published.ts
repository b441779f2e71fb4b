/** The data version that requests see, with what planning must know of it. */

import type { Universe } from '../sql/derive/universe.ts'
import { quarterEnd } from '../sql/quarter.ts'
import { type Incomplete, incompleteSql } from '../sql/sources/incomplete.ts'
import { holdingCompanies } from '../sql/universes/holding-company/index.ts'
import { universes } from '../sql/universes/index.ts'
import type { Entities } from './catalog/describe.ts'
import { exampleInstitutions } from './catalog/example-institutions.ts'
import type { EntityKind } from './catalog/parameter.ts'
import { loadDatasets } from './catalog/registry.ts'
import type { Engine } from './engine/engine.ts'
import type { Publication } from './engine/publications.ts'
import { type Coverage, type FiledQuarters, includes } from './query/coverage.ts'
import { type FilingCount, Filings } from './query/filings.ts'
import type { History } from './resident/history/history.ts'
import { type Newest, openResident, type Resident } from './resident/resident.ts'
import type { AllOf } from './resident/specs.ts'

export interface Published {
  readonly publication: Publication
  /** Whether anything is held, of whatever source: false before the first load. */
  readonly loaded: boolean
  readonly coverage: Coverage
  /** The part of it that is held in the server's memory. */
  readonly resident: Resident
  /** Quarters that were taken though their files were not all there. */
  readonly incomplete: readonly Incomplete[]
  /** An institution of each kind to look at in the docs, where one is held. */
  readonly examples: Entities
}

/** What is told of a version that is served. */
export interface Served {
  readonly publication: Publication
  /** Whether anything is held, of whatever source. */
  readonly loaded: boolean
  /** Whether a bank's filing is among it. */
  readonly banks: boolean
}

export const servedOf = ({ publication, loaded, coverage }: Published): Served => ({
  publication,
  loaded,
  banks: coverage.filed('bank').latest !== undefined,
})

/** What the manifest of a data version counts: the files that were ever loaded, and the quarters of a demo. */
export async function loadsOf(
  engine: Engine,
  { database }: Publication,
): Promise<{ files: number; demoQuarters: number }> {
  const [counts] = await engine.rows<{ files: number; demoQuarters: number }>({
    database,
    sql: `SELECT toUInt32(count()) AS files, toUInt32(countIf(source = 'demo' AND in_force)) AS demoQuarters
          FROM load_files`,
  })
  return counts!
}

/**
 * Reads what a data version holds, by a few small queries.
 * @param of in place of the universes that are served
 * @param history where series are kept on the disk
 */
export async function readPublished(
  engine: Engine,
  publication: Publication,
  of: readonly Universe[] = universes,
  history?: History,
): Promise<Published> {
  const rows = <T>(sql: string): Promise<T[]> => engine.rows<T>({ database: publication.database, sql })
  const filed = new Map<EntityKind, Filed>()
  for (const universe of of) filed.set(universe.entity, await readFiled(rows, universe))
  const known = new Map<EntityKind, Uint32Array>()
  for (const { kind, ids } of await rows<{ kind: string; ids: number[] }>(
    'SELECT kind, groupArray(id) AS ids FROM (SELECT * FROM entities ORDER BY kind, id) GROUP BY kind',
  ))
    known.set(kind, Uint32Array.from(ids))
  const counts = await rows<FilingCount>(
    'SELECT report_date, hq_state, toUInt32(count()) AS filings FROM bank_quarters GROUP BY report_date, hq_state',
  )
  const ofBanks = filed.get('bank') ?? nothing
  const newest = of.flatMap((universe): Newest[] => {
    const { latest, of: quarters } = filed.get(universe.entity)!
    // rows of holding companies are asked for with their banks, which the engine knows
    if (latest === undefined || universe === holdingCompanies) return []
    const institutions = [...quarters.values()].filter((all) => all.at(-1) === latest).length
    return [{ universe, quarter: quarterEnd(latest), institutions }]
  })
  const resident = openResident({
    engine,
    database: publication.database,
    latest: publication.asOf,
    newest,
    filings: [...ofBanks.of.values()].reduce((sum, quarters) => sum + quarters.length, 0),
    datasets: ofBanks.latest === undefined ? [] : await allRowsOf(engine, publication),
    history: history?.of(engine, publication.database, of),
  })
  return {
    publication,
    loaded: (await loadsOf(engine, publication)).files > 0,
    coverage: {
      filed: (kind) => filed.get(kind) ?? nothing,
      quartersOf: (kind, id) => filed.get(kind)?.of.get(id),
      knows: (kind, id) => includes(known.get(kind) ?? [], id),
      inMemory: resident.inMemory,
      filings: new Filings(counts),
    },
    resident,
    incomplete: await rows<Incomplete>(incompleteSql),
    examples: await exampleInstitutions(rows, of),
  }
}

/** The datasets whose rows of every institution may be held, and how many these are. */
async function allRowsOf(engine: Engine, { database, asOf: quarter }: Publication): Promise<AllOf[]> {
  const held = [...new Set((await loadDatasets()).values())].filter(({ allRows }) => allRows)
  return Promise.all(
    held.map(async (dataset) => {
      const sql = `SELECT toUInt32(count()) AS rows FROM (${dataset.allRows!.from})`
      const [counted] = await engine.rows<{ rows: number }>({ database, sql, params: { quarter } })
      return { dataset, rows: counted!.rows }
    }),
  )
}

/** What the institutions of a kind filed, together and each. */
interface Filed extends FiledQuarters {
  readonly of: ReadonlyMap<number, Uint16Array>
}

const nothing: Filed = { quarters: [], latest: undefined, of: new Map() }

async function readFiled(rows: <T>(sql: string) => Promise<T[]>, { id, tables }: Universe): Promise<Filed> {
  const found = await rows<{ id: number; quarters: number[] }>(
    // not `filers`: figures are derived for those that belong to the universe alone
    `SELECT ${id} AS id, arraySort(groupUniqArray(toUInt16(toYear(report_date) * 4 + toQuarter(report_date) - 1))) AS quarters
     FROM ${tables.rows} GROUP BY ${id}`,
  )
  const all = new Set<number>()
  for (const { quarters } of found) for (const quarter of quarters) all.add(quarter)
  const quarters = Uint16Array.from(all).sort()
  const of = new Map(found.map((row) => [row.id, Uint16Array.from(row.quarters)]))
  return { quarters, latest: quarters.at(-1), of }
}
