import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { datasetReference } from '../../server/catalog/document.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'

const page = new URL('../../docs/datasets.md', import.meta.url)
const command = 'npx tap test/datasets/reference.test.ts --snapshot'

t.test('docs/datasets.md says what is declared', async (t) => {
  const declared = datasetReference(await loadDatasets())
  if (process.env.TAP_SNAPSHOT === '1') await writeFile(page, declared)
  const written = await readFile(page, 'utf8').catch(() => '')
  t.ok(written === declared, `docs/datasets.md is out of date: write it anew with ${command}`)
})
