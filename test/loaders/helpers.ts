import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import type { Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { type LoadOutcome, runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { memoryLog, sqlFolder, testEngine } from '../helpers/engine.ts'

/** File name → bytes. */
export type Files = Map<string, Buffer>

const FIXTURES = new URL('../fixtures/', import.meta.url).pathname

export const fixture = (path: string) => join(FIXTURES, path)

/** The Call Report files of a fixture quarter: `2012Q2`, `2014Q1`, `2018Q4`. */
export async function quarterFiles(quarter: string): Promise<Files> {
  const folder = fixture(`ffiec-call-report/${quarter}`)
  const files: Files = new Map()
  for (const name of (await readdir(folder)).sort()) files.set(name, await readFile(join(folder, name)))
  return files
}

/** The name of the fixture file of a schedule, such as `RC` or `RCRII`. */
export function memberOf(files: Files, schedule: string): string {
  return [...files.keys()].find((name) => new RegExp(` ${schedule} \\d{8}`).test(name))!
}

/** Changes the text of one file. */
export function edit(files: Files, schedule: string, change: (text: string) => string): Files {
  const name = memberOf(files, schedule)
  return new Map(files).set(name, Buffer.from(change(files.get(name)!.toString('latin1')), 'latin1'))
}

/** A zip of the files. `corrupt` flips a byte of the first file's data after its CRC-32 was taken. */
export function zipOf(files: Iterable<[string, Buffer]>, { corrupt = false, store = false } = {}): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of files) {
    const data = store ? Buffer.from(bytes) : deflateRawSync(bytes)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(store ? 0 : 8, 4)
    header.writeUInt32LE(crc32(bytes), 10)
    header.writeUInt32LE(data.length, 14)
    header.writeUInt32LE(bytes.length, 18)
    header.writeUInt16LE(name.length, 22)
    if (corrupt && offset === 0) data[data.length >> 1]! ^= 1
    local.push(Buffer.from('PK\x03\x04'), header, Buffer.from(name), data)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), header, tail, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  const count = [...files].length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}

export async function writeFiles(folder: string, files: Files): Promise<string> {
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
  return folder
}

/** An engine with the project's tables and no views or derived figures, and a way to load into it. */
export async function loaderEngine(t: Test, env: Record<string, string> = {}) {
  const { engine, config } = await testEngine(t, env)
  const folder = await sqlFolder(t, { 'views/.keep': '' })
  const publishing = { derive: async () => {}, sqlFolder: folder }
  const load = (source: string, paths: string[], force = false): Promise<LoadOutcome> =>
    runLoad(engine, findSource(source)!, paths, { force, progress: silent, log: memoryLog(), publishing })
  return { engine, config, load, sqlFolder: folder, rows: <T>(sql: string) => servedRows<T>(engine, sql) }
}

/** Rows of what is served now. */
export async function servedRows<T>(engine: Engine, query: string): Promise<T[]> {
  const served = await currentPublication(engine)
  if (!served) return []
  const answer = await engine.loader(served.database).query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  return answer.json<T>()
}
