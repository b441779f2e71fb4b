import t from 'tap'
import { describe } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { formatNames } from '../../server/formats/names.ts'
import { universe } from '../helpers/universe.ts'

const declared = [...new Set((await loadDatasets()).values())]

t.test('a description is a plain value: JSON has all of it', async (t) => {
  for (const dataset of declared) {
    const described = describe(dataset, {
      bank: '852218',
      credit_union: '900013',
      holding_company: '1039502',
    })
    t.strictSame(JSON.parse(JSON.stringify(described)), described, dataset.key)
    t.ok(described.examples.length > 0)
    for (const { url } of described.examples) t.notMatch(url, /[{}]/, `${url} has all its values`)
  }
})

t.test('what is described is what is answered', async (t) => {
  const { get, published } = await universe()
  for (const dataset of declared.filter(({ parts }) => !parts)) {
    const { columns, formats, examples } = describe(dataset, published.examples)
    // an example that chooses columns itself says nothing of those of an answer that does not
    const plain = examples.find(({ url }) => !/[?&](fields|metrics|format)=/.test(url))
    if (plain) {
      const { data } = (await get(plain.url)).json()
      const row = Array.isArray(data) ? data[0] : data
      const expected = columns.filter(({ byDefault }) => byDefault).map(({ name }) => name)
      if (row) t.strictSame(Object.keys(row), expected, plain.url)
    }
    const other = formatNames.find((name) => !formats.includes(name))
    const { url } = examples[0]!
    if (other && !url.includes('format='))
      t.equal((await get(`${url}${url.includes('?') ? '&' : '?'}format=${other}`)).status, 400, other)
  }
})
