import type { Engine } from '../../server/engine/engine.ts'

/** Of the names that a source gives institutions of a kind, by method. */
export interface Count {
  source: string
  relation: string
  entity: string
  method: string
  linked: number
  unsure: number
  unknown: number
}

/** What could be one institution or another, or is not certain to be one. */
export interface Unsure {
  source: string
  relation: string
  own: string
  entity: string
  method: string
  score: number
  evidence: string
  candidates: number[]
}

const ofSource = (source: string | undefined) => (source === undefined ? '' : 'AND source = {source:String}')

/** The links that somebody might be found for, in the order of their source and name. */
export const unsureLinks = (engine: Engine, database: string, source?: string): Promise<Unsure[]> =>
  engine.rows<Unsure>({
    database,
    sql: `SELECT source, relation, own, entity, method, score, evidence, candidates FROM links
      WHERE entity_id IS NULL AND notEmpty(candidates) ${ofSource(source)} ORDER BY source, relation, entity, own`,
    ...(source !== undefined && { params: { source } }),
  })

/** How many names of each source are linked by each method, uncertain, and of nobody who is known. */
export const countedLinks = (engine: Engine, database: string, source?: string): Promise<Count[]> =>
  engine.rows<Count>({
    database,
    sql: `SELECT source, relation, entity, method, toUInt32(countIf(entity_id IS NOT NULL)) AS linked,
        toUInt32(countIf(entity_id IS NULL AND notEmpty(candidates))) AS unsure,
        toUInt32(countIf(entity_id IS NULL AND empty(candidates))) AS unknown FROM links WHERE true ${ofSource(source)}
      GROUP BY source, relation, entity, method ORDER BY source, relation, entity, linked DESC, method`,
    ...(source !== undefined && { params: { source } }),
  })
