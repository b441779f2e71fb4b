/** How the parts may lean on one another, and how long a file may be: see docs/architecture.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import ts from 'typescript'
import { isLong } from './helpers/group.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Parts of the project from the lowest to the highest: what is imported stands in the same line or above. */
const order = [
  ['sql/'],
  ['workers/'],
  ['server/errors.ts', 'server/heap.ts', 'server/package-version.ts', 'server/progress.ts'],
  ['server/config/'],
  ['server/engine/'],
  ['server/command.ts'],
  ['server/fetches.ts'],
  ['server/formats/names.ts', 'server/formats/offered.ts'],
  ['server/catalog/'],
  ['server/datasets/'],
  ['server/formats/'],
  ['server/query/'],
  ['server/resident/'],
  ['server/published.ts', 'server/publishing.ts', 'server/training.ts', 'server/train-cli.ts'],
  ['server/access/'],
  ['server/http/'],
  ['server/mcp/'],
  ['server/ops/'],
  ['server/app.ts'],
  ['server/serving.ts'],
  ['server/processes/'],
  ['server/demo.ts'],
  ['server/serve.ts'],
  ['server/main.ts'],
  ['loaders/'],
  ['bench/'],
  ['clients/typescript/'],
  // in the browser: of the project it has the client alone
  ['server/explorer/'],
  ['clients/generate/'],
  ['test/'],
]

const MOST_LINES = 300

/** Files that are longer; the same holds of this list. */
const long = [
  'sql/demo/items/loans.ts',
  'test/access/allowance.long.test.ts',
  'test/attack/torn-files.long.test.ts',
  'test/declared/items.long.test.ts',
  'test/http/cache.test.ts',
  'test/refresh/refresh.long.test.ts',
]

/** Nobody reads what a program writes. */
const written = ['clients/typescript/src/datasets.ts']

const folders = [...new Set(order.flat().map((part) => part.split('/')[0]!))]
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((f) => join(folder, f)),
  )
  .filter((file) => /\.(m?ts|tsx)$/.test(file) && !file.startsWith('test/fixtures/'))
  .sort()

const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

/** What each file imports of the project, for its types alone too, as paths from the root. */
const imports = new Map(
  [...texts].map(([file, text]) => [
    file,
    ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(root, join(root, dirname(file), name))),
  ]),
)

const rankOf = (file: string): number =>
  order.findIndex((parts) =>
    parts.some((part) => file === part || (part.endsWith('/') && file.startsWith(part))),
  )

test('every file stands in the order, and every import finds its file', (t) => {
  t.ok(files.length > 400, 'files are read')
  t.same(
    files.filter((file) => rankOf(file) < 0),
    [],
    'files that no line of the order names',
  )
  const edges = [...imports.values()].flat()
  t.ok(edges.length > 1500, 'imports are read')
  t.same(
    edges.filter((target) => /\.tsx?$/.test(target) && !texts.has(target)),
    [],
    'imports of what is not there',
  )
  t.end()
})

test('nothing imports what stands above it', (t) => {
  const found = [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => rankOf(target) > rankOf(file)).map((target) => `${file} → ${target}`),
  )
  t.same([...new Set(found)].sort(), [])
  t.end()
})

test('no file imports itself by way of others', (t) => {
  t.same(circles(imports), [])
  t.same(
    circles(
      new Map([
        ['a', ['b']],
        ['b', ['c', 'd']],
        ['c', ['a']],
        ['d', []],
      ]),
    ),
    [['a', 'b', 'c']],
    'a circle is seen',
  )
  t.end()
})

test(`no file has more than ${MOST_LINES} lines`, (t) => {
  const found = [...texts]
    .filter(([file, text]) => text.split('\n').length - 1 > MOST_LINES && !written.includes(file))
    .map(([file]) => file)
  t.same(found, long)
  t.end()
})

test('npm test runs every file of tests that is not long', (t) => {
  const tests = files.filter((file) => file.endsWith('.test.ts') && !isLong(file))
  const groups = tests.filter((file) => file.startsWith('test/groups/')).map((file) => texts.get(file)!)
  const grouped = groups.flatMap((text) => [...text.matchAll(/'([a-z]+)'/g)].map(([, folder]) => folder!))
  const folders = tests
    .map((file) => file.split('/').slice(1, -1).join('/'))
    .filter((folder) => folder && folder !== 'groups')
  t.same(grouped.sort(), [...new Set(folders)].sort(), 'each folder in one group')
  t.end()
})

/** The circles of a graph, each once: what is under way when it is met again. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const way: string[] = []
  const done = new Set<string>()
  const visit = (node: string): void => {
    if (done.has(node)) return
    const at = way.indexOf(node)
    if (at >= 0) return void found.push(way.slice(at))
    way.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    way.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return found
}
