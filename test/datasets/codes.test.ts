import t from 'tap'
import { API_ROOT, type CatalogKey } from '../../server/catalog/catalog.ts'
import type { Column } from '../../server/catalog/columns.ts'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { codeLists, namedElsewhere } from '../../server/catalog/parts/code-lists.ts'
import { ownWords } from '../../server/catalog/parts/own-words.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { universe } from '../helpers/universe.ts'

const { rows, get, published } = await universe()
const served = await loadDatasets()
const datasets = [...new Set(served.values())].filter(({ parts }) => !parts)
const lists = new Map(
  codeLists.flatMap(({ columns, codes }) => columns.map((name) => [name, codes] as const)),
)

/** Every column of codes, those inside of lists among them. */
const codesOf = (columns: Iterable<Column>): Column[] =>
  [...columns].flatMap((column) =>
    column.fields ? codesOf(column.fields) : column.type === 'Code' ? [column] : [],
  )
const listOf = (dataset: string, name: string) =>
  namedElsewhere[`${dataset}.${name}`] === ownWords
    ? undefined
    : (lists.get(`${dataset}.${name}`) ?? lists.get(name))
const elsewhere = (dataset: string, name: string) =>
  namedElsewhere[`${dataset}.${name}`] ?? namedElsewhere[name]

t.test('every column of codes says where its codes are explained', async (t) => {
  for (const { key, allColumns } of datasets)
    for (const { name } of codesOf(allColumns.values())) {
      const own = lists.get(`${key}.${name}`)
      const place = own ? undefined : elsewhere(key, name)
      t.ok(listOf(key, name) ?? place, `${key}.${name}`)
      const beside = /^the column (\w+)$/.exec(place ?? '')?.[1]
      if (beside) t.ok(allColumns.has(beside), `${key} has ${beside} beside ${name}`)
      else if (place && place !== ownWords) t.ok(served.has(place as CatalogKey), `${key}.${name}: ${place}`)
    }
})

t.test('no code is served that reference-codes does not have', async (t) => {
  const known = await rows(`${API_ROOT}/reference/codes/`)
  t.equal(
    known.length,
    codeLists.reduce((sum, { codes }) => sum + Object.keys(codes).length, 0),
  )
  let checked = 0
  for (const dataset of datasets) {
    for (const { path: own, query } of dataset.examples) {
      const { data } = (await get(exampleUrl(dataset, own, query ?? '', published.examples))).json()
      const unknown = new Set<string>()
      const walk = (value: unknown): void => {
        if (Array.isArray(value)) value.forEach(walk)
        else if (value !== null && typeof value === 'object')
          for (const [name, one] of Object.entries(value)) {
            const codes = listOf(dataset.key, name)
            if (typeof one === 'string' && codes) {
              checked++
              if (!Object.hasOwn(codes, one)) unknown.add(`${name}: ${one}`)
            }
            walk(one)
          }
      }
      walk(data)
      t.strictSame([...unknown], [], `${dataset.key}?${query ?? ''}`)
    }
  }
  t.ok(checked > 1000, `${checked} codes were looked up`)
})
