import t from 'tap'
import { type Format, formatNames } from '../../server/formats/names.ts'
import { negotiate } from '../../server/formats/negotiate.ts'

const cases: [string | undefined, string][] = [
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['text/csv', 'csv'],
  ['application/geo+json', 'geojson'],
  ['TEXT/CSV; charset=utf-8', 'csv'],
  ['text/csv;q=0.5, application/vnd.apache.arrow.stream', 'arrow'],
  ['text/csv;q=0, application/x-ndjson', 'ndjson'],
  ['application/vnd.apache.parquet', 'parquet'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/*;q=0.9, image/png', 'json'],
  ['application/json;q=0, text/json;q=0, */*', 'columns'],
  ['text/csv; header=present; q=0.2, application/*;q=0.1', 'csv'],
]
for (const [accept, format] of cases) {
  t.test(`${accept} is ${format}`, async (t) => {
    t.equal(negotiate(accept, formatNames), format)
  })
}

t.test('refuses what is not offered, and lists what is', async (t) => {
  const refused = (accept: string, offered: readonly Format[]) => {
    try {
      return negotiate(accept, offered)
    } catch (error) {
      return error
    }
  }
  t.match(refused('image/png', formatNames), {
    code: 'format-not-available',
    status: 406,
    errors: [{ parameter: 'Accept', allowed: ['application/json'] }],
  })
  t.match(refused('text/csv', ['json']), { code: 'format-not-available' })
})
