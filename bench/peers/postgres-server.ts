// The peer Fastify + PostgreSQL: an endpoint a kind of question, the JSON made in SQL and passed on as it is.
import fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { familyTables } from '../families/families.ts'
import type { Question, Rows } from '../question.ts'
import { columnsOf } from './columns.ts'
import { select } from './sql.ts'

const { PEER_PORT, PEER_DATABASE } = process.env
const pool = new pg.Pool({ connectionString: PEER_DATABASE, max: 8 })
const known = new Set((await columnsOf('latest')).map(({ name }) => name))
/** Texts that came before are prepared: those with other columns in every request would only fill memory. */
const prepared = new Map<string, string>()
const MOST_TEXTS = 1_000

async function answer(question: Question): Promise<string> {
  const { sql, parameters } = select(question, 'postgres')
  const text = `SELECT coalesce(json_agg(t), '[]')::text AS body FROM (${sql}) AS t`
  const name = prepared.get(text)
  if (name === undefined && prepared.size < MOST_TEXTS) prepared.set(text, `q${prepared.size}`)
  const values = parameters.map(([, value]) => value)
  const { rows } = await pool.query<{ body: string }>({ text, values, ...(name !== undefined && { name }) })
  return rows[0]!.body
}

type Asked = FastifyRequest<{ Params: { bank: string }; Querystring: Record<string, string> }>

/** Column names of the request, each one of the catalog: nothing else reaches SQL text. */
function names(request: Asked, parameter: string): string[] {
  const list = (request.query[parameter] ?? '').split(',')
  const unknown = list.find((name) => !known.has(name))
  if (unknown !== undefined) throw new Error(`there is no column “${unknown}”`)
  return list
}

const columnsByTable = new Map<string, ReadonlySet<string>>()
for (const table of ['latest', ...familyTables] as const)
  columnsByTable.set(table, new Set((await columnsOf(table)).map(({ name }) => name)))

/** A question of rows, of columns that its table has. */
function rowsAsked(text: string): Question {
  const { table, columns, where, order, after, limit } = JSON.parse(text) as Rows
  const own = columnsByTable.get(table)
  const bare = order.map((one) => one.replace('-', ''))
  const unknown = [...columns, ...bare, ...Object.keys(where), ...Object.keys(after ?? {})].find(
    (name) => !own?.has(name),
  )
  if (unknown !== undefined) throw new Error(`there is no column “${unknown}” in ${table}`)
  const most = limit === undefined ? {} : { limit: Number(limit) }
  return { kind: 'rows', table, columns, where, order, ...(after && { after }), ...most, path: '' }
}

const STATES = /^[A-Z]{2}(,[A-Z]{2})*$/

const routes: Record<string, (request: Asked) => Question> = {
  '/rows': ({ query }) => rowsAsked(query.question ?? ''),
  '/banks/:bank': ({ params }) => ({ kind: 'snapshot', bank: Number(params.bank) }),
  '/screen': (request) => {
    const { state, least } = request.query
    const where = state === undefined ? undefined : { state, least: Number(least) }
    return { kind: 'screen', columns: names(request, 'columns'), ...(where && { where }) }
  },
  '/banks/:bank/series': (request) => ({
    kind: 'series',
    bank: Number(request.params.bank),
    from: '',
    metrics: names(request, 'metrics'),
  }),
  '/panel': (request) => {
    const { states } = request.query
    if (states !== undefined && !STATES.test(states)) throw new Error('states are two letters each')
    return { kind: 'panel', metrics: names(request, 'metrics'), ...(states && { states: states.split(',') }) }
  },
  '/banks/:bank/rank': (request) => ({
    kind: 'rank',
    bank: Number(request.params.bank),
    metrics: names(request, 'metrics'),
  }),
  '/summary': (request) => ({ kind: 'summary', metrics: names(request, 'metrics') }),
}

const app = fastify()
for (const [url, question] of Object.entries(routes))
  app.get(url, async (request, reply) =>
    reply.type('application/json; charset=utf-8').send(await answer(question(request as Asked))),
  )
app.get('/health', async () => 'ok')
await app.listen({ host: '127.0.0.1', port: Number(PEER_PORT) })
