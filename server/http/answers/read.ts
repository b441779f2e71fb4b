import { pipeline, type Readable } from 'node:stream'
import type { Engine, ReadQuery } from '../../engine/engine.ts'
import type { Keys } from '../../query/place.ts'
import type { Statement } from '../../query/plan.ts'
import type { Answering, StepResults } from './answering.ts'
import { hasNext } from './facts.ts'

/** Rows without limit and cursor: a cursor knows them. */
export async function countRows(engine: Engine, answering: Answering, results: StepResults): Promise<number> {
  const { query, total } = answering.plan
  const known = query.place.total ?? total
  if (known !== undefined) return known
  const stream = await readBytes(engine, answering, answering.plan.count(results), { format: 'TabSeparated' })
  return Number((await whole(stream)).toString())
}

/** What a cursor keeps of the last row of the page; undefined where none follow. */
export async function lastOfPage(
  engine: Engine,
  answering: Answering,
  results: StepResults,
  total: number,
): Promise<Keys | undefined> {
  if (!hasNext(answering.plan, total)) return undefined
  const last = answering.plan.last(results)
  const line = await whole(await readBytes(engine, answering, last, { format: 'JSONCompactEachRow' }))
  return line.length === 0 ? undefined : (JSON.parse(line.toString()) as [Keys])[0]
}

/** The bytes that ClickHouse writes of a statement. */
export async function readBytes(
  engine: Engine,
  { published, signal, timing }: Answering,
  statement: Statement,
  how: Pick<ReadQuery, 'format' | 'settings' | 'streamed'>,
): Promise<Readable> {
  const { database } = published.publication
  return (await timing.read(engine, { ...statement, ...how, database, signal })).stream
}

/** A failure on either side ends both; Fastify cuts the connection where the answer has begun. */
export function through(source: Readable, transform: NodeJS.ReadWriteStream): Readable {
  return pipeline(source, transform, () => {}) as unknown as Readable
}

export async function whole(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
