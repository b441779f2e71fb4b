import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { PlainClickHouse } from './clickhouse.ts'
import { columnsOf, downwards, isFamily, keyOf, postgresType, type Table } from './columns.ts'
import { type Contestant, Missing, type Row } from './contestant.ts'
import { exists } from './python.ts'
import { freePort, runCommand, startServer } from './server-process.ts'
import { pathOf } from './service-paths.ts'

const PROGRAMS = '/usr/lib/postgresql/15/bin'
/** Enough for the tables to stay in memory; no write is ever waited for. */
const settings = {
  shared_buffers: '1GB',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  effective_cache_size: '4GB',
  random_page_cost: '1.1',
  jit: 'off',
  fsync: 'off',
  synchronous_commit: 'off',
  max_wal_size: '4GB',
  autovacuum: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

const indexes = [
  'CREATE UNIQUE INDEX ON latest (rssd_id)',
  'CREATE INDEX ON latest (hq_state, total_assets)',
  'CREATE INDEX ON latest (cohort)',
  'CREATE UNIQUE INDEX ON history (rssd_id, report_date)',
  'CREATE INDEX ON history (hq_state)',
  'VACUUM ANALYZE',
]

/** Fastify over a PostgreSQL 15 cluster of its own, filled from the same rows and gone when it is closed. */
export async function fastifyPostgres(rows: PlainClickHouse, tables: readonly Table[]): Promise<Contestant> {
  if (!(await exists(join(PROGRAMS, 'initdb'))))
    throw new Missing(`PostgreSQL 15 is not in ${PROGRAMS}: apt-get install postgresql-15`)
  // not in the data folder, which PostgreSQL's own user need not be able to enter
  const cluster = new Cluster(await mkdtemp(join(tmpdir(), 'bench-postgres-')), await freePort())
  try {
    await cluster.create()
    await fill(cluster, rows, tables)
    return await service(cluster)
  } catch (error) {
    await cluster.remove()
    throw error
  }
}

async function fill(cluster: Cluster, rows: PlainClickHouse, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    const columns = (await columnsOf(table)).map((column) => `${column.name} ${postgresType(column)}`)
    await cluster.sql(`CREATE TABLE ${table} (${columns.join(', ')})`)
    await cluster.sql(`\\copy ${table} FROM STDIN`, Readable.fromWeb(await rows.table(table, 'TabSeparated')))
  }
  for (const table of tables.filter(isFamily))
    await cluster.sql(`CREATE INDEX ON ${table} (${keyOf(table).map(downwards).join(', ')})`)
  for (const statement of indexes) await cluster.sql(statement)
}

async function service(cluster: Cluster): Promise<Contestant> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const script = join(import.meta.dirname, 'postgres-server.ts')
  const server = await startServer(process.execPath, ['--import', 'tsx', script], `${origin}/health`, {
    env: { PEER_PORT: String(port), PEER_DATABASE: await cluster.address() },
  })
  return {
    name: 'postgres',
    title: 'Fastify + PostgreSQL 15, JSON made in SQL',
    origin,
    pids: [server.pid, await cluster.pid()],
    keeps: false,
    ask: (question, format) => (format === 'json' ? { path: pathOf(question, format) } : null),
    rows: (_, body) => JSON.parse(body) as Row[],
    async close() {
      await server.stop()
      await cluster.remove()
    },
  }
}

/** A PostgreSQL cluster below one folder. PostgreSQL refuses to run as root: there it runs as its own user. */
class Cluster {
  readonly #home: string
  readonly #data: string
  readonly #port: number

  constructor(home: string, port: number) {
    this.#home = home
    this.#data = join(home, 'data')
    this.#port = port
  }

  /** Makes and starts it. */
  async create(): Promise<void> {
    const secret = join(this.#home, 'secret')
    await writeFile(secret, randomBytes(16).toString('hex'), { mode: 0o600 })
    if (isRoot()) await runCommand('chown', ['-R', 'postgres', this.#home])
    const access = ['-U', 'bench', '-A', 'scram-sha-256', '--pwfile', secret]
    await this.#run('initdb', ['-D', this.#data, ...access, '--no-sync', '-E', 'UTF8', '--locale', 'C'])
    const options = Object.entries({ ...settings, port: this.#port })
    const text = options.map(([name, value]) => `-c ${name}=${value === '' ? "''" : value}`).join(' ')
    await this.#run('pg_ctl', ['-D', this.#data, '-w', '-o', text, '-l', join(this.#home, 'log'), 'start'])
  }

  async remove(): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.#data, '-m', 'immediate', '-w', 'stop']).catch(() => {})
    await rm(this.#home, { recursive: true, force: true })
  }

  async pid(): Promise<number> {
    return Number((await readFile(join(this.#data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
  }

  async address(): Promise<string> {
    const secret = (await readFile(join(this.#home, 'secret'), 'utf8')).trim()
    return `postgres://bench:${secret}@127.0.0.1:${this.#port}/postgres`
  }

  async sql(text: string, input?: Readable): Promise<void> {
    const env = { PGPASSWORD: new URL(await this.address()).password }
    const to = ['-h', '127.0.0.1', '-p', String(this.#port), '-U', 'bench', '-d', 'postgres']
    const args = ['-q', '-v', 'ON_ERROR_STOP=1', ...to, '-c', text]
    await runCommand(join(PROGRAMS, 'psql'), args, { env, ...(input && { input }) })
  }

  #run(program: string, args: string[]): Promise<string> {
    const path = join(PROGRAMS, program)
    return isRoot()
      ? runCommand('runuser', ['-u', 'postgres', '--', path, ...args], { cwd: '/' })
      : runCommand(path, args)
  }
}

const isRoot = (): boolean => process.getuid?.() === 0
