/** `npm run clients`: writes what the clients have from the description of each dataset. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generated } from './files.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
for (const [path, text] of await generated()) {
  const before = await readFile(root + path, 'utf8').catch(() => undefined)
  if (before === text) continue
  await writeFile(root + path, text)
  console.log(`clients/${path}: ${text.split('\n').length - 1} lines`)
}
