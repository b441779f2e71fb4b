import { join } from 'node:path'
import { metrics as catalog } from '../../sql/formula/metrics/index.ts'
import type { Contestant, Filling, Row } from './contestant.ts'
import { exists, pythonPrograms } from './python.ts'
import { freePort, runCommand, startServer } from './server-process.ts'
import { pathOf } from './service-paths.ts'

const script = join(import.meta.dirname, 'duckdb_server.py')

/** FastAPI over DuckDB tables in a file, answers written by orjson and pyarrow. */
export async function fastapiDuckdb(
  { folder, latest, history }: Filling,
  venvs: string,
): Promise<Contestant> {
  const python = join(await pythonPrograms(venvs), 'python')
  const database = join(folder, 'duckdb.db')
  if (!(await exists(database))) await runCommand(python, [script, '--fill', database, latest, history])
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
