import { LoadError } from '../errors.ts'
import type { LoadContext, Loaded, Reject } from '../source.ts'
import type { ObservationsEdition } from './file.ts'
import { disorder, dropStaging, type Line, readStaged, stageLines, stageText, type Table } from './stage.ts'
import { type StoreOptions, storeStaged } from './store.ts'

/** What a source makes of one of its files. */
export interface Reading {
  table: Table
  span: StoreOptions['span']
  /** Lines that a parser made; left out, the text itself is staged and its first line is the header. */
  lines?: readonly Line[]
  /** What was found wrong before the lines were looked at, such as a column that is new. */
  rejects?: Reject[]
  notes?: string[]
}

/**
 * Loads a file of observations: each sound line adds to what is known; the others are listed.
 * @throws LoadError when no line is sound, or more than half are not: then it is not the file that it seems to be
 */
export async function loadObservations(
  edition: ObservationsEdition,
  reading: Reading,
  { client, force, progress }: LoadContext,
): Promise<Loaded> {
  const { name, text, bytes } = edition.file
  try {
    if (reading.lines) await stageLines(client, reading.lines)
    else await stageText(client, text)
    const header = reading.lines ? 0 : headerLine(text)
    const staged = await readStaged(
      client,
      reading.table,
      header,
      reading.lines ? false : !/[\r\n]$/.test(text),
    )
    progress.bytes(bytes.length)
    progress.rows(staged.lines)
    refuseUnsound(name, staged.lines, staged.sound, staged.rejects)
    const line = await disorder(client)
    if (line !== null)
      throw new LoadError(`${name}: line ${line}: the dates run neither forwards nor backwards`)
    const fileSha256 = (await edition.sha256())!
    const { rejects, ...counts } = await storeStaged(client, { fileSha256, span: reading.span, force })
    return {
      status: 'loaded',
      reportDate: null,
      contentSha256: fileSha256,
      replaces: 'nothing',
      rowsRead: staged.lines,
      rowsKept: staged.sound,
      rejects: [...(reading.rejects ?? []), ...staged.rejects, ...rejects],
      notes: [...(reading.notes ?? []), sentence(counts)],
      changed: [],
    }
  } finally {
    await dropStaging(client)
  }
}

/** Number of the header line: lines above it are blank. */
function headerLine(text: string): number {
  return /^\s*/.exec(text)![0].split('\n').length
}

function refuseUnsound(name: string, lines: number, sound: number, rejects: Reject[]): void {
  if (lines === 0) throw new LoadError(`${name}: there is no line below the header`)
  if (sound * 2 > lines) return
  const [first] = rejects
  throw new LoadError(
    `${name}: ${lines - sound} of ${lines} lines cannot be read; the first is line ${first?.line}: ${first?.reason}`,
  )
}

function sentence(counts: {
  observations: number
  added: number
  revised: number
  withdrawn: number
}): string {
  const say = (n: number) => n.toLocaleString('en-US')
  const { observations, added, revised, withdrawn } = counts
  return `${say(observations)} observations: ${say(added)} new, ${say(revised)} revised, ${say(withdrawn)} withdrawn`
}
