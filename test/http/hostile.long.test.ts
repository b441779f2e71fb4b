// Thousands of values that nobody means well, for every parameter of every dataset: each is refused with a 4xx or
// answered, and none of them stands in any SQL text.
import t from 'tap'
import type { Dataset } from '../../server/catalog/define.ts'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import type { Engine, ReadQuery } from '../../server/engine/engine.ts'
import { Problem } from '../../server/errors.ts'
import { parse } from '../../server/query/parse.ts'
import { plan } from '../../server/query/plan.ts'
import { build } from '../helpers/app.ts'

/** Marks that no SQL of this project holds: where one is found in SQL, a value of a request got there. */
const MARK = 'zq7xk'
const NUMBER = '918273645'
const DAY = '1987-11-23'
const LIMIT = '98765'

const openings = ['', "'", '"', '`', "')", "'))", '\\', "\\'", '{', ';', '--', '/*', '%', '\0', '\n', ' ']
const middles = [
  MARK,
  `${MARK} OR 1=1`,
  `UNION SELECT ${MARK} FROM system.users`,
  `; DROP TABLE ${MARK}`,
  `{${MARK}:String}`,
  `{${MARK}:Identifier}`,
  `\${${MARK}}`,
  `<script>${MARK}</script>`,
  `../../${MARK}`,
  `file('/etc/${MARK}')`,
  `sleep(3) ${MARK}`,
  `FORMAT Null SETTINGS readonly=0 ${MARK}`,
  `${MARK}${'a'.repeat(300)}`,
  `a,${MARK},b`,
  `-${MARK}`,
  `é${MARK}ß`,
  `😀\u202e${MARK}`,
  `${MARK}=1&x=2`,
  `GA,${MARK}`,
  `roa,${MARK}`,
]
const closings = ['', "'", '"', '`', ')', ' --', '/*', ' #', '\r\nX-Injected: 1', '\u2028']
const texts = openings.flatMap((a, i) =>
  middles.map((b, j) => `${a}${b}${closings[(i + j) % closings.length]}`),
)
/** Well formed here and there, so that they get further. */
const numbers = ['', '-', '+', '0', '1e', '0x', '1.', '-0.'].flatMap((a) =>
  ['', '.5', 'e3', 'e999', ' ', 'n', '_0', ',1'].map((b) => `${a}${NUMBER}${b}`),
)
const days = ['', "'", ' --', 'T00:00:00Z', ' ', ',x'].map((end) => `${DAY}${end}`)
const all = [...texts, ...numbers, ...days]

const marks = new RegExp([MARK, NUMBER, DAY, LIMIT].join('|'), 'i')

/** Names of everything that the dataset takes in the query: of several hundred bounds, the first and the last few. */
function namesOf(dataset: Dataset): string[] {
  const own = Object.keys(dataset.parameters).filter((name) => !dataset.pathParameters.includes(name))
  const columns = [...dataset.bounded.keys()]
  const some = columns.length > 4 ? [...columns.slice(0, 2), ...columns.slice(-2)] : columns
  const bounds = some.flatMap((name) => [`min_${name}`, `max_${name}`])
  return [...own, 'format', 'fields', 'sort', 'limit', 'cursor', ...bounds]
}

interface Attempt {
  readonly dataset: Dataset
  /** The parameter that has the hostile value, or `name` where the name itself is hostile. */
  readonly target: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

function* attempts(dataset: Dataset, path: Readonly<Record<string, string>>): Generator<Attempt> {
  for (const target of namesOf(dataset))
    for (const value of all) yield { dataset, target, path, query: { [target]: value } }
  for (const target of dataset.pathParameters)
    for (const value of all) yield { dataset, target, path: { ...path, [target]: value }, query: {} }
  for (const value of texts) yield { dataset, target: 'name', path, query: { [value]: '1' } }
}

/** At most so many of them, from all over the list. */
const some = <T>(list: readonly T[], most: number): T[] =>
  list.filter((_, i) => i % Math.ceil(list.length / most) === 0)

t.test('hostile values', async (t) => {
  const { app, engine, published } = await build(t)
  const datasets = [...new Set((await loadDatasets()).values())]
  const { coverage, publication } = published
  const pathOf = (dataset: Dataset): Record<string, string> =>
    Object.fromEntries(
      dataset.pathParameters.map((name) => {
        const { entity, example } = dataset.parameters[name]!
        return [name, (entity ? published.examples[entity] : example)!]
      }),
    )
  const toSend: Attempt[] = []

  await t.test(`${all.length} for every parameter, read and planned`, async (t) => {
    const wrong: string[] = []
    const counts = { accepted: 0, refused: 0 }
    /** Whether the attempt is a plan; what is not as it should be is in `wrong`. */
    const accepts = ({ dataset, path, query }: Attempt): boolean => {
      try {
        const planned = plan(parse(dataset, path, query, publication.dataVersion), coverage)
        // the parts of a composite are planned as datasets of their own
        const statements = dataset.parts
          ? []
          : [
              planned.rows(),
              planned.rows({ dictionary: true }),
              planned.count(),
              ...planned.steps.map(({ read }) => read),
            ]
        const told = statements.find((statement) => statement && marks.test(statement.sql))
        if (told) wrong.push(`${dataset.key} ${JSON.stringify({ path, query })}: ${told.sql}`)
        return true
      } catch (error) {
        if (!(error instanceof Problem) || error.status < 400 || error.status > 499)
          wrong.push(`${dataset.key} ${JSON.stringify({ path, query })}: ${error}`)
        return false
      }
    }
    for (const dataset of datasets) {
      const kept = new Map<string, { accepted: Attempt[]; refused: Attempt[] }>()
      for (const attempt of attempts(dataset, pathOf(dataset))) {
        const outcome = accepts(attempt) ? 'accepted' : 'refused'
        counts[outcome]++
        if (!kept.has(attempt.target)) kept.set(attempt.target, { accepted: [], refused: [] })
        kept.get(attempt.target)![outcome].push(attempt)
      }
      for (const { accepted, refused } of kept.values())
        toSend.push(...some(accepted, 8), ...some(refused, 2))
    }
    t.strictSame(wrong.slice(0, 5), [], `${counts.accepted} accepted, ${counts.refused} refused`)
    t.ok(counts.accepted > 1000 && counts.refused > 20_000, `both happen: ${JSON.stringify(counts)}`)
  })

  await t.test('through the whole service', async (t) => {
    const sent: string[] = []
    const read = engine.read.bind(engine)
    ;(engine as { read: Engine['read'] }).read = (query: ReadQuery) => {
      sent.push(query.sql)
      return read(query)
    }
    const wrong: string[] = []
    const statuses: Record<string, number> = {}
    const ask = async (url: string, headers: Record<string, string> = {}) => {
      const { statusCode, body, headers: answered } = await app.inject({ url, headers })
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      const refused = statusCode >= 400 && statusCode <= 499
      if (statusCode !== 200 && !refused) wrong.push(`${statusCode} ${url}: ${body.slice(0, 200)}`)
      if (refused && answered['content-type'] !== 'application/problem+json; charset=utf-8')
        wrong.push(`no problem: ${url}: ${answered['content-type']}`)
      if (refused && /DB::|Code: \d|node_modules|\n\s+at /.test(body)) wrong.push(`tells the inside: ${url}`)
      if (answered['x-injected'] !== undefined) wrong.push(`a header of its own: ${url}`)
    }
    for (const { dataset, path, query } of toSend) {
      const page: Record<string, string> = dataset.result === 'many' ? { limit: '1' } : {}
      await ask(exampleUrl(dataset, path, String(new URLSearchParams({ ...page, ...query }))))
    }
    for (const dataset of datasets.filter(({ result }) => result === 'many'))
      await ask(exampleUrl(dataset, pathOf(dataset), `limit=${LIMIT}`))
    for (const value of some(all, 40).map((one) => encodeURIComponent(one)))
      await ask('/api/v1/datasets/', { accept: value, 'if-none-match': value, range: `bytes=${value}` })
    t.strictSame(wrong.slice(0, 5), [], JSON.stringify(statuses))
    t.strictSame(
      sent.filter((sql) => marks.test(sql)).slice(0, 3),
      [],
      `of ${sent.length} statements none holds a value`,
    )
    t.ok(sent.length > 100, `${sent.length} statements were sent: ${JSON.stringify(statuses)}`)
  })
})
