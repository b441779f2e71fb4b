import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { parse } from 'csv-parse'
import { LoadError, wordsOf } from './errors.ts'

/** One record of a table file: values by column name, lower-case, and where it stands. */
export interface TableRecord {
  /** 1-based line of a CSV, ordinal of a JSON record. */
  line: number
  values: ReadonlyMap<string, string>
}

export interface TableForm {
  delimiter?: string
  /** Lines before the header. */
  skip?: number
  /** Whether `"` quotes; in a TSV that was never quoted it is a character. */
  quoted?: boolean
}

/** Records of a CSV with a header: BOM, quotes and newlines in fields as in RFC 4180; short rows lack their last values. */
export async function* readCsv(path: string, form: TableForm = {}): AsyncGenerator<TableRecord> {
  const { delimiter = ',', skip = 0, quoted = true } = form
  const parser = createReadStream(path, { highWaterMark: 1 << 18 }).pipe(
    parse({
      delimiter,
      quote: quoted ? '"' : null,
      bom: true,
      from_line: skip + 1,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  )
  let header: string[] | null = null
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (!header) header = columnNames(record)
      else
        yield {
          line: info.lines,
          values: new Map(header.map((name, column) => [name, (record[column] ?? '').trim()])),
        }
    }
  } catch (error) {
    throw new LoadError(
      `${path}: not readable as ${delimiter === '\t' ? 'tab-separated text' : 'CSV'}: ${wordsOf(error)}`,
    )
  }
}

/** SDI heads columns such as `inst.webaddr`: the part before the dot is a table of FDIC's own. */
function columnNames(header: string[]): string[] {
  return header.map((name) => name.trim().toLowerCase().replace(/^.*\./, ''))
}

/** Records of an answer of BankFind's API: `{"data": [{"data": {"CERT": 628, …}}, …]}`, or a plain array. */
export async function readJsonRecords(path: string): Promise<TableRecord[]> {
  let parsed: unknown
  try {
    parsed = JSON.parse(stripBom(await readFile(path, 'utf8')))
  } catch (error) {
    throw new LoadError(`${path}: not readable as JSON: ${wordsOf(error)}`)
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { data?: unknown }).data
  if (!Array.isArray(list)) throw new LoadError(`${path}: has no array "data", as an answer of the API has`)
  return list.map((entry, index) => {
    const fields = (entry as { data?: object })?.data ?? (entry as object) ?? {}
    const values = Object.entries(fields).map(
      ([name, value]) => [name.toLowerCase(), value === null ? '' : String(value).trim()] as const,
    )
    return { line: index + 1, values: new Map(values) }
  })
}

/** The first bytes of a file as text, to see of what kind it is. */
export async function beginningOf(path: string, bytes = 1 << 16): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return stripBom(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

const stripBom = (text: string) => text.replace(/^\uFEFF/, '')
