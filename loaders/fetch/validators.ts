import { readFile, rm, stat, writeFile } from 'node:fs/promises'

/** What an answer says of the state of its address, and how long it was. */
export interface Validators {
  etag?: string
  lastModified?: string
  bytes?: number
}

export function validatorsOf({ headers }: Response): Validators {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')]
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}

/** A download that ended before its time: `path.part`, and beside it what it is a beginning of. */
interface Beginning {
  url: string
  validator: string
}

const partOf = (path: string) => `${path}.part`
const noteOf = (path: string) => `${path}.part.json`

/** How much there is of an earlier download of the address, and by what the publisher knows that it goes on with it. */
export async function beginningHeld(
  path: string,
  url: string,
): Promise<{ bytes: number; validator: string } | undefined> {
  const size = await stat(partOf(path)).then(
    ({ size }) => size,
    () => 0,
  )
  if (size === 0) return undefined
  // a process that was killed may have left half a note, or none
  const note = await readFile(noteOf(path), 'utf8')
    .then((text) => JSON.parse(text) as Beginning)
    .catch(() => undefined)
  return note?.url === url ? { bytes: size, validator: note.validator } : undefined
}

/**
 * Notes down what makes it possible to go on later: a strong ETag, else the time of the last change (RFC 9110, 13.1.5).
 * What came compressed has no bytes that could be counted.
 */
export async function noteBeginning(path: string, url: string, { headers }: Response): Promise<void> {
  const etag = headers.get('etag')
  const validator = etag && !etag.startsWith('W/') ? etag : headers.get('last-modified')
  const whole = headers.get('content-encoding') === null && headers.get('accept-ranges') !== 'none'
  if (validator && whole)
    await writeFile(noteOf(path), JSON.stringify({ url, validator } satisfies Beginning))
  else await rm(noteOf(path), { force: true })
}

/** Leaves what can be gone on with, and nothing else. */
export async function keepBeginning(path: string): Promise<void> {
  const noted = await stat(noteOf(path)).catch(() => undefined)
  if (!noted) await rm(partOf(path), { force: true })
}

export async function dropBeginning(path: string): Promise<void> {
  await rm(partOf(path), { force: true })
  await rm(noteOf(path), { force: true })
}
