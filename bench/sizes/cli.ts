/**
 * How the SEC's datasets bear sizes, with generated files: `node --import tsx bench/sizes/cli.ts --share 0.01 --data DIR`.
 * Writes the files into DIR/files where they are not there yet, loads them into DIR/data, which it empties before, and asks
 * each of the datasets. `--write` writes only, `--ask` asks only, of what an earlier run loaded.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../server/config/config.ts'
import { openEngine } from '../../server/engine/open.ts'
import { silent as noLog } from '../peers/silent.ts'
import { circumstances } from '../result.ts'
import { askEach } from './asked.ts'
import { type Loaded, loadInTurn } from './loads.ts'
import { markdown } from './report.ts'
import { secFiles } from './sec.ts'

/** What the issue of the SEC's datasets names: with them, 95 of 100 registrants are others. */
const whole = { registrants: 1000, others: 19, years: 15 }

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '0.01' },
    data: { type: 'string', default: 'data/bench-sizes' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
    ask: { type: 'boolean', default: false },
  },
})
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const size = { ...whole, registrants: Math.max(2, Math.round(whole.registrants * Number(values.share))) }
const folder = resolve(values.data)
const config = readConfig({ DATA_DIR: join(folder, 'data'), REQUEST_LOG: 'all' })

async function loads(): Promise<Loaded[]> {
  const files = await secFiles(join(folder, 'files'), size)
  say(`files of ${size.registrants} registrants are written`)
  if (values.write) process.exit()
  await rm(join(folder, 'data'), { recursive: true, force: true, maxRetries: 3 })
  const engine = await openEngine(config, noLog)
  try {
    return await loadInTurn(engine, files, say)
  } finally {
    await engine.close()
  }
}

const loaded = values.ask ? [] : await loads()
const asked = await askEach(config, size, say)
const text = markdown(loaded, asked)
process.stdout.write(text)
if (values.out) {
  const path = resolve(import.meta.dirname, '../results', values.out)
  await writeFile(`${path}.json`, `${JSON.stringify({ ...(await circumstances()), size, loaded, asked })}\n`)
  await writeFile(`${path}.md`, `# Sizes of the SEC's datasets\n\n${text}`)
}
process.exitCode = asked.some(({ status }) => status !== 200) ? 1 : 0
