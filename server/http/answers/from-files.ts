import { Readable } from 'node:stream'
import { envelopeMetadata } from '../../formats/envelope.ts'
import { formats } from '../../formats/names.ts'
import type { HeldPanel, Panel } from '../../resident/history/panel.ts'
import type { AnswerDeps, Answering, Produced } from './answering.ts'
import { factHeaders, linksOf, metaOf, tooManyRows, totalHeaders } from './facts.ts'
import { LONGEST_WHOLE } from './from-memory.ts'

/**
 * Answers with a panel in Arrow out of files on the disk. It takes a place as a query does: a batch of a paused reader lies
 * in memory.
 * @throws TableLost where a file cannot be read, before anything is sent
 */
export async function produceFromFiles(
  deps: AnswerDeps,
  answering: Answering,
  held: HeldPanel,
): Promise<Produced> {
  const leave = await answering.timing.enter(deps.gate, answering)
  let panel: Panel | undefined
  const end = (): void => {
    panel?.close()
    leave()
  }
  try {
    panel = held.open()
    await panel.choose(answering.signal)
    const { total } = panel
    const most = deps.engine.config.queryRows
    if (total > most) throw tooManyRows(total, most)
    const headers = {
      'content-type': formats.arrow.mediaType,
      ...factHeaders(answering),
      ...totalHeaders(answering, { total }),
    }
    const metadata = envelopeMetadata(metaOf(answering, total, total), linksOf(answering, { total }))
    const body = await bodyOf(panel.arrow(metadata))
    if (Buffer.isBuffer(body)) end()
    else body.once('close', end)
    return { headers, body }
  } catch (error) {
    end()
    throw error
  }
}

/** The first batch is read before anything is sent: where that fails, there can be another answer. */
async function bodyOf(chunks: AsyncGenerator<Buffer>): Promise<Buffer | Readable> {
  const first: Buffer[] = []
  for (let size = 0; size <= LONGEST_WHOLE; ) {
    const { value, done } = await chunks.next()
    if (done) return Buffer.concat(first)
    first.push(value)
    size += value.length
  }
  return Readable.from(
    (async function* () {
      // let go as it is read: a client may pause here
      while (first.length > 0) yield first.shift()!
      yield* chunks
    })(),
    { objectMode: false },
  )
}
