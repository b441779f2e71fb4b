import { Readable } from 'node:stream'
import { closing, envelopeMetadata, type Links, type Meta, opening } from '../../formats/envelope.ts'
import type { Format } from '../../formats/names.ts'
import { type HeldPanel, layoutOf, type Panel } from '../../resident/history/panel.ts'
import type { AnswerDeps, Answering, Produced } from './answering.ts'
import { factHeaders, linksOf, metaOf, tooManyRows, totalHeaders } from './facts.ts'
import { bytesOf, LONGEST_WHOLE } from './from-memory.ts'

/**
 * Answers with a panel out of files on the disk. It takes a place as a query does: a batch of a paused reader lies
 * in memory.
 * @throws TableLost where a file cannot be read, or the engine reads less, before anything is sent
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
    const { format } = answering
    const headers = factHeaders(answering)
    if (format !== 'json') Object.assign(headers, totalHeaders(answering, { total }))
    const meta = metaOf(answering, total, total)
    const links = linksOf(answering, { total })
    const body = await bodyOf(
      format === 'arrow' ? panel.arrow(envelopeMetadata(meta, links)) : text(panel, format, meta, links),
    )
    if (Buffer.isBuffer(body)) end()
    else body.once('close', end)
    return { headers, body }
  } catch (error) {
    end()
    throw error
  }
}

async function* text(panel: Panel, format: Format, meta: Meta, links: Links): AsyncGenerator<Buffer> {
  const inEnvelope = format === 'json'
  if (inEnvelope) yield opening
  for await (const piece of panel.texts(layoutOf(format)!)) yield bytesOf(piece)
  if (inEnvelope) for (const piece of closing(meta, links)) yield bytesOf(piece)
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
