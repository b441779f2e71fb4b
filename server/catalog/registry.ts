/** Finds the declarations: every `server/datasets/<category>/*.ts` exports one by default. */
import { readdir } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CatalogKey } from './catalog.ts'
import { catalog } from './catalog.ts'
import type { Dataset } from './define.ts'

const served = new Map<CatalogKey, Dataset>()
let loading: Promise<ReadonlyMap<CatalogKey, Dataset>> | undefined

/** Loads every declaration once, in catalog order; aliases point to the dataset that serves them. */
export function loadDatasets(): Promise<ReadonlyMap<CatalogKey, Dataset>> {
  loading ??= load()
  return loading
}

/** What `loadDatasets` found. Empty before it has resolved. */
export const datasets = (): ReadonlyMap<CatalogKey, Dataset> => served

async function load(): Promise<ReadonlyMap<CatalogKey, Dataset>> {
  const root = fileURLToPath(new URL('../datasets/', import.meta.url))
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const found = new Map<CatalogKey, Dataset>()
  const files = await Promise.all(
    folders.map(async ({ name }) =>
      (await readdir(`${root}${name}`)).map((file) => `${root}${name}/${file}`),
    ),
  )
  const modules = await Promise.all(
    files
      .flat()
      .filter((file) => file.endsWith('.ts'))
      .map(async (file) => ({ file, module: await import(pathToFileURL(file).href) })),
  )
  for (const { file, module } of modules) {
    const dataset = module.default as Dataset | undefined
    if (!dataset?.key) throw new Error(`${file} does not export a dataset by default`)
    for (const key of [dataset.key, ...(dataset.aliases ?? [])]) {
      if (found.has(key)) throw new Error(`dataset ${key} is declared twice, the second time in ${file}`)
      found.set(key, dataset)
    }
  }
  for (const { key } of catalog) {
    const dataset = found.get(key)
    if (dataset) served.set(key, dataset)
  }
  return served
}
