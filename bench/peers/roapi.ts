import { join } from 'node:path'
import type { Format } from '../question.ts'
import { type Contestant, type Filling, parquetOf, type Row } from './contestant.ts'
import { pythonPrograms } from './python.ts'
import { freePort, startServer } from './server-process.ts'
import { select } from './sql.ts'

const accept: Readonly<Record<Format, string>> = {
  json: 'application/json',
  arrow: 'application/vnd.apache.arrow.stream',
  csv: 'application/csv',
}

/** roapi (DataFusion) over the Parquet files, which it takes into memory; asked by SQL, as it offers. */
export async function roapi(filling: Filling, venvs: string): Promise<Contestant> {
  const program = join(await pythonPrograms(venvs), 'roapi')
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = await startServer(
    program,
    [
      ...filling.tables.flatMap((table) => ['--table', `${table}=${parquetOf(filling, table)}`]),
      ...['--addr-http', `127.0.0.1:${port}`, '--addr-postgres', `127.0.0.1:${await freePort()}`],
    ],
    `${origin}/health`,
  )
  return {
    name: 'roapi',
    title: 'roapi (DataFusion)',
    origin,
    pids: [server.pid],
    keeps: false,
    ask: (question, format) => ({
      method: 'POST',
      path: '/api/sql',
      headers: { accept: accept[format] },
      body: select(question, 'datafusion').sql,
    }),
    rows: (_, body) => JSON.parse(body) as Row[],
    close: () => server.stop(),
  }
}
