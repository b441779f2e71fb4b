/** From an answer to the wire: conditions, codings, ranges (RFC 9110, 13 and 14). */
import { randomUUID } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Produced } from '../answers/answering.ts'
import { acceptedEncoding, compressor, type Encoding } from './encodings.ts'
import type { FiledAnswer } from './files.ts'
import { type Facts, type Finished, headersOf, type Variant, validators } from './finished.ts'
import { type ByteRange, contentRange, lengthOf, multipart, readRanges } from './ranges.ts'
import { entityTag, matches, matchingTag } from './tags.ts'

/** The coding to answer in. Ranges are of the plain bytes, as a client cannot decode a part. */
export const codingFor = ({ headers }: FastifyRequest['raw'], facts: Facts): Encoding | undefined =>
  facts.compressible && headers.range === undefined
    ? acceptedEncoding(headers['accept-encoding'] as string | undefined)
    : undefined

/** Answers 304 where the client has the answer already. @returns whether it did */
export function sendNotModified(request: FastifyRequest, reply: FastifyReply, facts: Facts): boolean {
  const header = request.raw.headers['if-none-match']
  const etag = header === undefined ? undefined : matchingTag(header, facts.tag)
  if (etag === undefined) return false
  sendUnchanged(request, reply, facts, etag)
  return true
}

/** `If-None-Match: *`: 304 as soon as it is known that there is an answer. */
const anyWillDo = ({ raw }: FastifyRequest): boolean => raw.headers['if-none-match']?.trim() === '*'

function sendUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  facts: Facts,
  etag = entityTag(facts.tag, codingFor(request.raw, facts)),
): FastifyReply {
  request.cacheState = 'revalidated'
  return reply.code(304).headers(validators(facts, etag)).send()
}

/** @throws Problem `precondition-failed` */
export function checkMatch({ headers }: FastifyRequest['raw'], facts: Facts): void {
  const header = headers['if-match']
  if (header === undefined || matches(header, facts.tag)) return
  throw new Problem('precondition-failed', 'the answer is another one than `If-Match` names')
}

/** Sends kept bytes: the whole, a range, the headers alone, or that nothing has changed. */
export function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  finished: Finished,
): FastifyReply | Promise<FastifyReply> {
  const { raw } = request
  if (anyWillDo(request)) return sendUnchanged(request, reply, finished.facts)
  const { bytes, headers } = finished.identity
  if (raw.headers.range !== undefined) {
    return sendRanges(request, reply, {
      headers,
      size: bytes.length,
      read: ({ start, end }) => bytes.subarray(start, end + 1),
    })
  }
  const coding = codingFor(raw, finished.facts)
  const there = finished.variant(coding)
  if (there) return sendVariant(request, reply, there)
  return finished.encoded(coding).then((variant) => sendVariant(request, reply, variant))
}

/** Sends one coding whole, or its headers alone. */
export const sendVariant = ({ raw }: FastifyRequest, reply: FastifyReply, { headers, bytes }: Variant) =>
  reply.headers(headers).send(raw.method === 'HEAD' ? undefined : bytes)

/** Sends from a file. */
export function sendFiled(
  request: FastifyRequest,
  reply: FastifyReply,
  facts: Facts,
  filed: FiledAnswer,
): FastifyReply {
  const headers = { ...headersOf(facts, filed.headers), 'content-length': String(filed.size) }
  return sendRanges(request, reply, { headers, size: filed.size, read: (range) => filed.read(range) })
}

/** Sends an answer as it comes; its length is not known. */
export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  facts: Facts,
  { headers, body }: Produced,
): FastifyReply {
  const encoding = codingFor(request.raw, facts)
  const unchanged = anyWillDo(request)
  if (unchanged || request.method === 'HEAD') {
    if (!Buffer.isBuffer(body)) body.destroy()
    if (unchanged) return sendUnchanged(request, reply, facts)
    return reply.headers(headersOf(facts, headers, encoding)).send()
  }
  reply.headers(headersOf(facts, headers, encoding))
  if (encoding === undefined) return reply.send(body)
  const source = Buffer.isBuffer(body) ? Readable.from([body]) : body
  return reply.send(pipeline(source, compressor(encoding), () => {}))
}

interface Ranged {
  readonly headers: Readonly<Record<string, string>>
  readonly size: number
  read(range: ByteRange): Buffer | Readable
}

function sendRanges(request: FastifyRequest, reply: FastifyReply, answer: Ranged): FastifyReply {
  const { headers, size } = answer
  const ranges = rangesOf(request, answer)
  if (ranges === 'whole') {
    const body =
      request.method === 'HEAD' ? undefined : size === 0 ? '' : answer.read({ start: 0, end: size - 1 })
    return reply.headers(headers).send(body)
  }
  if (ranges.length === 0) {
    reply.header('content-range', `bytes */${size}`)
    throw new Problem('range-not-satisfiable', `no byte of the range lies within the answer's ${size}`)
  }
  reply.code(206).headers(headers)
  const [only] = ranges
  if (ranges.length === 1) {
    reply.headers({ 'content-range': contentRange(only!, size), 'content-length': lengthOf(only!) })
    return reply.send(answer.read(only!))
  }
  const boundary = randomUUID()
  const { heads, tail, length } = multipart(ranges, size, headers['content-type']!, boundary)
  reply.headers({ 'content-type': `multipart/byteranges; boundary=${boundary}`, 'content-length': length })
  const parts = ranges.map((range) => () => answer.read(range))
  return reply.send(Readable.from(interleaved(heads, parts, tail), { objectMode: false }))
}

/** A range is of the answer that the client has begun: with another `If-Range` it gets the whole. HEAD has none. */
function rangesOf(
  { method, raw }: FastifyRequest,
  { headers, size }: Ranged,
): readonly ByteRange[] | 'whole' {
  const { range, 'if-range': ifRange } = raw.headers
  if (range === undefined || method === 'HEAD') return 'whole'
  if (ifRange !== undefined && ifRange !== headers.etag) return 'whole'
  return readRanges(range, size)
}

/** A part is read when its turn has come: one that never comes leaves nothing open. */
async function* interleaved(
  heads: readonly string[],
  parts: readonly (() => Buffer | Readable)[],
  tail: string,
): AsyncGenerator<Buffer> {
  for (const [i, read] of parts.entries()) {
    yield Buffer.from(heads[i]!)
    const part = read()
    if (Buffer.isBuffer(part)) yield part
    else yield* part
  }
  yield Buffer.from(tail)
}
