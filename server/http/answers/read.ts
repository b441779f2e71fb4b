import { pipeline, type Readable } from 'node:stream'
import type { Engine, ReadQuery } from '../../engine/engine.ts'
import type { Statement } from '../../query/plan.ts'
import type { Answering, StepResults } from './answering.ts'

/** Rows without limit and cursor. */
export async function countRows(engine: Engine, answering: Answering, results: StepResults): Promise<number> {
  const { total } = answering.plan
  if (total !== undefined) return total
  const stream = await readBytes(engine, answering, answering.plan.count(results), { format: 'TabSeparated' })
  return Number((await whole(stream)).toString())
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
