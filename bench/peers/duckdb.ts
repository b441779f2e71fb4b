import { join } from 'node:path'
import { metrics as catalog } from '../../sql/formula/metrics/index.ts'
import { downwards, keyOf } from './columns.ts'
import { type Contestant, type Filling, parquetOf, type Row } from './contestant.ts'
import { exists, pythonPrograms } from './python.ts'
import { freePort, runCommand, startServer } from './server-process.ts'
import { pathOf } from './service-paths.ts'

const script = join(import.meta.dirname, 'duckdb_server.py')

/** FastAPI over DuckDB tables in a file, answers written by orjson and pyarrow. */
export async function fastapiDuckdb(filling: Filling, venvs: string): Promise<Contestant> {
  const python = join(await pythonPrograms(venvs), 'python')
  const { folder, tables } = filling
  const database = join(folder, `duckdb-${tables.length}.db`)
  const given = tables.flatMap((table) => [
    table,
    parquetOf(filling, table),
    keyOf(table).map(downwards).join(', '),
  ])
  if (!(await exists(database))) await runCommand(python, [script, '--fill', database, ...given])
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const directions = JSON.stringify(Object.fromEntries(catalog.map(({ key, direction }) => [key, direction])))
  const server = await startServer(python, [script, database, String(port)], `${origin}/docs`, {
    env: { DIRECTIONS: directions },
  })
  return {
    name: 'duckdb',
    title: 'FastAPI + DuckDB + orjson',
    origin,
    pids: [server.pid],
    keeps: false,
    ask: (question, format) => ({ path: pathOf(question, format) }),
    rows: (_, body) => JSON.parse(body) as Row[],
    close: () => server.stop(),
  }
}
