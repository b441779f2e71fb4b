import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { downwards, isFamily, keyOf } from './columns.ts'
import { type Contestant, type Filling, parquetOf, type Row } from './contestant.ts'
import { exists, pythonPrograms } from './python.ts'
import { freePort, runCommand, startServer } from './server-process.ts'
import { select } from './sql.ts'

const script = join(import.meta.dirname, 'sqlite_fill.py')

/** Datasette over indexed SQLite tables; asked by SQL in the URL, as it offers, with no limit of rows or time that bites. */
export async function datasette(filling: Filling, venvs: string): Promise<Contestant> {
  const { folder, tables } = filling
  const programs = await pythonPrograms(venvs)
  // the name of the file is that of the database in addresses
  const database = join(folder, `sqlite-${tables.length}`, 'plain.sqlite')
  const given = tables.flatMap((table) => [
    table,
    parquetOf(filling, table),
    isFamily(table) ? keyOf(table).map(downwards).join(', ') : '',
  ])
  if (!(await exists(database))) {
    await mkdir(dirname(database), { recursive: true })
    await runCommand(join(programs, 'python'), [script, database, ...given])
  }
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    sql_time_limit_ms: 120_000,
    max_returned_rows: 1_000_000,
    num_sql_threads: 3,
    max_csv_mb: 0,
  }
  const server = await startServer(
    join(programs, 'datasette'),
    [
      ...['serve', '--immutable', database, '--host', '127.0.0.1', '--port', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['--setting', name, String(value)]),
    ],
    `${origin}/-/versions.json`,
  )
  return {
    name: 'datasette',
    title: 'Datasette (SQLite)',
    origin,
    pids: [server.pid],
    keeps: false,
    ask(question, format) {
      if (format === 'arrow') return null
      const { sql, parameters } = select(question, 'sqlite')
      const search = new URLSearchParams([['sql', sql]])
      for (const [name, value] of parameters) search.append(name, String(value))
      if (format === 'json') search.append('_shape', 'array')
      return { path: `/plain.${format}?${search}` }
    },
    rows: (_, body) => JSON.parse(body) as Row[],
    close: () => server.stop(),
  }
}
