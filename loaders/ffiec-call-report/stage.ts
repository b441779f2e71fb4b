import { isAscii } from 'node:buffer'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { DigestStream, sha256OfText } from '../lib/digest.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { CallReportMember } from './editions.ts'
import { titleOf } from './member-name.ts'
import type { Staging } from './staging.ts'

// A member is one value in ClickHouse's memory. The largest ever published is below 10 MB.
const MEMBER_LIMIT = 256 << 20
const AT_ONCE = 3

/** Sends a quarter's members into the staging table and returns the SHA-256 of their content. */
export async function stage(
  client: ClickHouseClient,
  staging: Staging,
  members: CallReportMember[],
  progress: Progress,
): Promise<string> {
  await client.command({
    query: `CREATE TABLE ${staging.members} (member String, schedule String, bytes String) ENGINE = Memory`,
  })
  const digests: string[] = []
  const waiting = [...members]
  const work = async () => {
    for (let member = waiting.shift(); member; member = waiting.shift()) {
      digests.push(`${titleOf(member)} ${await stageMember(client, staging, member, progress)}`)
    }
  }
  const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return sha256OfText(digests.sort().join('\n'))
}

async function stageMember(
  client: ClickHouseClient,
  staging: Staging,
  member: CallReportMember,
  progress: Progress,
): Promise<string> {
  if (member.bytes > MEMBER_LIMIT)
    throw new LoadError(`${member.place}: ${member.bytes} bytes are more than any schedule has`)
  if (member.bytes === 0) throw new LoadError(`${member.place}: is empty`)
  const digest = new DigestStream()
  const text = new ToUtf8()
  const reading = pipeline(await member.open(), digest, text).catch((error: unknown) => {
    throw error instanceof LoadError ? error : new LoadError(`${member.place}: ${wordsOf(error)}`)
  })
  const sending = client.exec({
    query: `INSERT INTO ${staging.members} SELECT {member:String}, {schedule:String}, bytes
      FROM input('bytes String') FORMAT RawBLOB`,
    query_params: { member: member.name, schedule: member.schedule },
    values: text,
  })
  const [read, sent] = await Promise.allSettled([reading, sending])
  // When reading fails, sending does too, and knows less about why.
  if (read.status === 'rejected') throw read.reason
  if (sent.status === 'rejected') throw sent.reason
  sent.value.stream.resume()
  progress.bytes(digest.bytes)
  return digest.sha256()
}

/** The agencies write ASCII; the odd byte above it is Windows-1252, which JSON could not carry. */
class ToUtf8 extends Transform {
  readonly #decoder = new TextDecoder('windows-1252')
  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    callback(null, isAscii(chunk) ? chunk : Buffer.from(this.#decoder.decode(chunk), 'utf8'))
  }
}
