/** Every notebook runs from its first cell to its last, and draws. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'

const clients = fileURLToPath(new URL('../../clients/', import.meta.url))
const modules = 'httpx, ipykernel, matplotlib, nbclient, pandas, pyarrow'

test('notebooks', { skip: withoutModules(modules), timeout: 300_000 }, async (t) => {
  const { listen } = await build(t)
  const folder = join(clients, 'notebooks')
  const { stdout } = await promisify(execFile)(python, [join(folder, 'run.py')], {
    env: {
      ...process.env,
      PYTHONPATH: join(clients, 'python', 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      // what Jupyter, matplotlib and the client keep
      HOME: await temporaryFolder(t),
      XDG_CACHE_HOME: await temporaryFolder(t),
      BANKING_URL: await listen(),
    },
  })
  const told = stdout.trim().split('\n')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ipynb')).sort()
  t.equal(names.length, 5)
  for (const [at, name] of names.entries()) {
    t.ok(told[at]?.startsWith(`${name} `), `${name} ran`)
    t.match(told[at], /[1-9] pictures$/, told[at] ?? name)
  }
})
