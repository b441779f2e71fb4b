/** The data version that requests see, with what planning must know of it. */
import type { Entities } from './datasets/document.ts'
import { exampleInstitutions } from './datasets/example-institutions.ts'
import type { EntityKind } from './datasets/parameters.ts'
import type { Engine } from './engine/engine.ts'
import type { Publication } from './engine/versions.ts'
import { type FilingCount, Filings } from './query/filings.ts'
import type { Holdings } from './query/holdings.ts'
import { parseQuarter } from './query/quarter.ts'
import { openResident, type Resident } from './resident/resident.ts'

export interface Published {
  readonly publication: Publication
  readonly holdings: Holdings
  /** What of it is in the server's memory. */
  readonly resident: Resident
  /** An institution of each kind to look at in the docs, where one is held. */
  readonly examples: Entities
}

/** Where the filings of each kind of institution stand, for existence and filed quarters. */
const relations: Readonly<Record<EntityKind, { relation: string; id: string; time: string }>> = {
  // not `filers`: figures are derived for those with an FDIC certificate alone
  bank: { relation: 'bank_rows', id: 'rssd_id', time: 'report_date' },
}

/** Reads what a data version holds, by a few small queries. */
export async function readPublished(engine: Engine, publication: Publication): Promise<Published> {
  const filed = new Map<EntityKind, Map<number, Uint16Array>>()
  const industry = new Set<number>()
  for (const [kind, { relation, id, time }] of Object.entries(relations) as [
    EntityKind,
    typeof relations.bank,
  ][]) {
    const rows = await engine.rows<{ id: number; quarters: number[] }>({
      database: publication.database,
      sql: `SELECT ${id} AS id, arraySort(groupUniqArray(toUInt16(toYear(${time}) * 4 + toQuarter(${time}) - 1))) AS quarters
            FROM ${relation} GROUP BY ${id}`,
    })
    filed.set(kind, new Map(rows.map((row) => [row.id, Uint16Array.from(row.quarters)])))
    if (kind === 'bank')
      for (const { quarters } of rows) for (const quarter of quarters) industry.add(quarter)
  }
  const counts = await engine.rows<FilingCount>({
    database: publication.database,
    sql: `SELECT report_date, hq_state, toUInt32(count()) AS filings FROM bank_quarters GROUP BY report_date, hq_state`,
  })
  const latest = publication.asOf === null ? undefined : parseQuarter(publication.asOf)
  const banks = [...(filed.get('bank')?.values() ?? [])]
  const resident = openResident({
    engine,
    database: publication.database,
    latest: publication.asOf,
    banks: banks.filter((quarters) => quarters.at(-1) === latest).length,
    filings: banks.reduce((sum, quarters) => sum + quarters.length, 0),
  })
  return {
    publication,
    holdings: {
      industry: Uint16Array.from(industry).sort(),
      latest,
      inMemory: resident.inMemory,
      filings: new Filings(counts),
      quartersOf: (kind, id) => filed.get(kind)?.get(id),
    },
    resident,
    examples: await exampleInstitutions((sql) =>
      engine.rows<{ id: string }>({ database: publication.database, sql }),
    ),
  }
}
