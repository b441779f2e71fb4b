import t from 'tap'
import { API_ROOT, catalog } from '../../server/catalog/catalog.ts'
import { likelyPath } from '../../server/http/paths.ts'

t.test('what a wrong path was likely meant to be', async (t) => {
  const meant: [string, string | undefined][] = [
    ['/api/v1/bank/852218/', '/api/v1/banks/852218/'],
    ['/api/v1/banks/852218/trend', '/api/v1/banks/852218/trends/'],
    ['/api/v1/Banks/852218/TRENDS/', '/api/v1/banks/852218/trends/'],
    ['/api/v2/banks/', '/api/v1/banks/'],
    ['/api/banks/', '/api/v1/banks/'],
    ['/banks', '/api/v1/banks/'],
    ['//api//v1/banks//', '/api/v1/banks/'],
    ['/api/v1/screener/banks/', '/api/v1/screeners/banks/'],
    ['/api/v1/reference/metric/roa/', '/api/v1/reference/metrics/roa/'],
    ['/api/v1/openapi.jso', '/api/v1/openapi.json'],
    ['/doc', '/docs'],
    ['/health/redy', '/health/ready'],
    // a name where an id belongs is not made an id
    ['/api/v1/banks/jpmorgan/trend/', undefined],
    ['/wp-login.php', undefined],
    ['/', undefined],
  ]
  for (const [path, likely] of meant) t.equal(likelyPath(path), likely, path)
})

t.test('every path of the catalog is found with a letter lost', async (t) => {
  for (const { path } of catalog) {
    const filled = `${API_ROOT}${path.replace(/\{(rssd_id|cu_number)\}/g, '7').replace(/\{\w+\}/g, 'some')}`
    const lost = filled.replace(/([a-z])\/$/, '/')
    if (lost === filled || lost.endsWith('/som/')) continue
    t.equal(likelyPath(lost), filled, lost)
  }
})

t.test('a hostile path costs nothing', async (t) => {
  const began = Date.now()
  for (let i = 0; i < 100; i++) likelyPath(`/${'a/'.repeat(8000)}`)
  for (let i = 0; i < 100; i++) likelyPath(`/api/v1/${'banks'.repeat(3000)}/`)
  t.ok(Date.now() - began < 1000, `${Date.now() - began} ms for 200`)
})
