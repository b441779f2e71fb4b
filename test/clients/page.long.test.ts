/** The lines of docs/clients.md that are said to be run here, as they stand there: each prints what JSON says. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'

const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url))
const runner = fileURLToPath(new URL('./run_page.py', import.meta.url))
const modules = 'duckdb, duckdb_extension_httpfs, openpyxl, pandas, polars, pyarrow'

/** DuckDB's command line, of which two options are enough here. */
const SHELL = `#!/bin/sh
exec "${python}" -c 'import duckdb, sys; print(*duckdb.execute(sys.argv[1]).fetchone(), sep=",")' "$3"
`

test('the page of clients', { skip: withoutModules(modules), timeout: 240_000 }, async (t) => {
  const { app, listen } = await build(t)
  const base = await listen()
  const { data } = (await app.inject('/api/v1/screeners/banks/?state=GA&fields=rssd_id,total_assets')).json()
  const sum = data.reduce((all: number, { total_assets }: { total_assets: number }) => all + total_assets, 0)
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'duckdb'), SHELL, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }

  const commands: Record<string, [string, string[]]> = {
    bash: ['bash', ['-euo', 'pipefail']],
    python: [python, [runner]],
    js: [process.execPath, ['--input-type=module', '-']],
  }
  const [run] = (await readFile(page, 'utf8')).split('## Not run here')
  const blocks = [...run!.matchAll(/```(\w+)\n(.*?)```/gs)]
  t.same([...new Set(blocks.map(([, language]) => language))].sort(), Object.keys(commands).sort())
  for (const [, language, lines] of blocks) {
    const child = spawn(...commands[language!]!, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(lines!.replaceAll('http://127.0.0.1:8080', base))
    const [told, wrong] = await Promise.all([text(child.stdout), text(child.stderr)])
    const printed = told
      .split('\n')
      .map((line) => line.match(/[\d.]+/g))
      .filter((numbers) => numbers?.length === 2)
    t.ok(printed.length > 0, `${language}: ${told} ${wrong}`)
    for (const numbers of printed) t.same(numbers!.map(Number), [data.length, sum], language!)
  }
})
