// What every page shows of its queries, over the small universe: each way to ask answers, each file is whole.
import { execFile as execute } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { read, utils } from '@e965/xlsx'
import { tableFromIPC } from 'apache-arrow'
import type { Locator } from 'playwright-core'
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { Client } from '../../clients/typescript/src/index.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { formatsOf } from '../../server/formats/offered.ts'
import { fromXlsx } from '../datasets/read-back.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, sound, type Visiting, visit } from '../helpers/explorer.ts'
import { python, withoutModules } from '../helpers/python.ts'

const execFile = promisify(execute)
const runner = fileURLToPath(new URL('../clients/run_page.py', import.meta.url))
const pythonClient = fileURLToPath(new URL('../../clients/python/src', import.meta.url))
const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

/** Files that are tables, with what counts their rows. */
const tables = {
  CSV: (bytes: Buffer) => utils.sheet_to_json(read(bytes, { type: 'buffer' }).Sheets.Sheet1!).length,
  Excel: (bytes: Buffer) => fromXlsx(bytes).length,
  Arrow: (bytes: Buffer) => tableFromIPC(bytes).numRows,
}

t.test('queries of every page', { skip, timeout: 1_200_000 }, async (t) => {
  const { app, listen, published, newKey } = await build(t)
  const origin = await listen()
  const at: Visiting = { origin, browser: await openBrowser(t, executable!) }
  const { secret: key } = await newKey('premium')
  const datasets = await loadDatasets()
  const first = async (path: string, column: string) =>
    (await app.inject(`/api/v1${path}`)).json().data[0][column]
  const { bank } = published.examples
  const holder = await first('/holding-companies/?limit=1&active=1&sort=-bank_assets', 'rssd_id')
  const union = await first('/cus/?limit=1&active=1&sort=-total_assets', 'cu_number')
  const asked: Record<'Python' | 'TypeScript' | 'SQL', string[]> = { Python: [], TypeScript: [], SQL: [] }

  const textOf = async (query: Locator, way: string): Promise<string> => {
    await query.page().getByLabel(way, { exact: true }).check()
    return (await query.locator('pre').textContent())!
  }

  for (const path of [
    '/',
    '/screen?min_total_assets=500000&sort=-construction_loans',
    '/screen/credit-unions',
    '/screen/holding-companies',
    ...['', '/ubpr', '/record', '/branches', '/structure'].map((page) => `/bank/${bank}${page}`),
    ...['', '/branches'].map((page) => `/credit-union/${union}${page}`),
    ...['', '/structure'].map((page) => `/holding-company/${holder}${page}`),
    `/compare?banks=${bank}`,
    '/industry',
    '/rates?years=1',
    '/failures',
    '/sources',
  ])
    await t.test(path, async (t) => {
      const visited = await visit(at, path, { key })
      const { page } = visited
      await page.getByText('The queries of this page').click()
      const queries = await page.getByRole('region', { name: /^Query: / }).all()
      let found = 0
      for (const query of queries) {
        const name = (await query.getAttribute('aria-label'))!.replace('Query: ', '')
        const url = new URL(await textOf(query, 'URL'))
        const answer = await app.inject(url.pathname + url.search)
        t.equal(answer.statusCode, 200, `${name}: ${url}`)
        const { data, meta } = answer.json()
        const offered: readonly string[] = formatsOf(datasets.get(meta.dataset)!)
        const kinds = Object.keys(tables) as (keyof typeof tables)[]
        const shown = (await query.getByRole('button').allTextContents()).slice(1)
        t.strictSame(shown, offered.includes('csv') ? [...kinds, 'JSON'] : ['JSON'], name)
        for (const kind of shown) {
          const saved = page.waitForEvent('download')
          await query.getByRole('button', { name: `${kind} of ${name}`, exact: true }).click()
          const file = await saved
          const bytes = await readFile(await file.path())
          const format = { CSV: 'csv', Excel: 'xlsx', Arrow: 'arrow', JSON: 'json' }[kind]
          t.equal(file.suggestedFilename(), `${meta.dataset}.${format}`)
          if (kind === 'JSON') t.strictSame(JSON.parse(bytes.toString()).data, data)
          else {
            found++
            const rows = tables[kind as keyof typeof tables](bytes)
            t.equal(rows, Array.isArray(data) ? data.length : 1, `${kind} of ${name}`)
          }
        }
        asked.Python.push(await textOf(query, 'Python'))
        asked.TypeScript.push(await textOf(query, 'TypeScript'))
        const sql = await textOf(query, 'SQL')
        if (offered.includes('parquet')) asked.SQL.push(sql)
        else t.match(sql, /^-- This answer is one object/)
        t.match(await textOf(query, 'curl'), `curl -H "Authorization: Bearer $KEY" '${url}'`)
      }
      // the group of a holding company is a tree in one piece
      t.equal(found > 0, !path.endsWith(`${holder}/structure`), `${found} tables`)
      await accessible(t, page, `the queries of ${path}`)
      await sound(t, visited)
    })

  await t.test('as TypeScript', async (t) => {
    for (const code of asked.TypeScript) {
      const lines = code.replace(/^import .*\n/, '').replace('apiKey: key', `apiKey: '${key}'`)
      const run = new Function('Client', `return (async () => { ${lines}; return answer })()`)
      const { data, meta } = await run(Client)
      t.ok(data, meta.dataset)
    }
  })

  await t.test('as Python', { skip: withoutModules('httpx, pyarrow') }, async (t) => {
    const running = execFile(python, ['-'], { env: { ...process.env, PYTHONPATH: pythonClient } })
    running.child.stdin!.end(`key = '${key}'\n${asked.Python.join('\n')}\nprint(answer)`)
    t.ok((await running).stdout)
  })

  await t.test('as SQL', { skip: withoutModules('duckdb, duckdb_extension_httpfs') }, async (t) => {
    const running = execFile(python, [runner])
    const each = asked.SQL.map((sql, i) =>
      // of the same name, and in force until the end
      (i === 0 ? sql : sql.replace(/^CREATE SECRET .*\n/m, '')).replace('your key', key),
    )
    running.child.stdin!.end(
      `import duckdb\n${each.map((sql) => `duckdb.sql(${JSON.stringify(sql)}).aggregate('count(columns(*))').fetchall()`).join('\n')}\nprint('done')`,
    )
    t.match((await running).stdout, 'done')
  })
})
