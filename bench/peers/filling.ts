import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { familyTables } from '../families/families.ts'
import { historyColumns } from '../workloads.ts'
import { bankTables } from './columns.ts'
import { type Filling, parquetOf } from './contestant.ts'
import { exists } from './python.ts'

type Get = (path: string) => Promise<Response>

/**
 * Exports what peers are filled with from the server under test, as anybody can. What was exported of the same
 * data version is used again; that of others is removed.
 */
export async function exportFilling(
  get: Get,
  folder: string,
  dataVersion: string,
  withFamilies = false,
): Promise<Filling> {
  const own = join(folder, dataVersion)
  await mkdir(own, { recursive: true })
  for (const name of await readdir(folder))
    if (name !== dataVersion && name !== 'venv') await rm(join(folder, name), { recursive: true })
  const filling = { folder: own, tables: [...bankTables, ...(withFamilies ? familyTables : [])] }
  const paths = {
    latest: '/api/v1/screeners/dataset/?format=parquet',
    history: `/api/v1/screeners/panel/?format=parquet&fields=${historyColumns.join(',')}`,
  }
  for (const table of bankTables) {
    const file = parquetOf(filling, table)
    if (await exists(file)) continue
    const answer = await get(paths[table])
    if (!answer.ok)
      throw new Error(`${paths[table]}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(`${file}.part`))
    await rename(`${file}.part`, file)
  }
  return filling
}
