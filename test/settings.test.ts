import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { readConfig } from '../server/config/config.ts'
import { settingsReference } from '../server/config/document.ts'
import { settings } from '../server/config/settings.ts'

const page = new URL('../docs/settings.md', import.meta.url)
const command = 'npx tap test/settings.test.ts --snapshot'

t.test('docs/settings.md says what the table of settings says', async (t) => {
  const declared = settingsReference()
  if (process.env.TAP_SNAPSHOT === '1') await writeFile(page, declared)
  const written = await readFile(page, 'utf8').catch(() => '')
  t.ok(written === declared, `docs/settings.md is out of date: write it anew with ${command}`)
})

t.test('the defaults stand there as the environment would give them', async (t) => {
  const written = await readFile(page, 'utf8')
  const environment: Record<string, string> = {}
  for (const name of Object.keys(settings)) {
    const line = written.split('\n').find((one) => one.startsWith(`| \`${name}\` |`))
    if (!t.ok(line, `${name} has a row`)) continue
    const value = line!.split(' | ')[2]!
    environment[name] = value === 'empty' ? '' : value.replaceAll('`', '')
  }
  t.strictSame(readConfig(environment), readConfig({}))
})
