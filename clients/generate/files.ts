import { readModel } from './methods.ts'
import { pythonDatasets, pythonProblems } from './python.ts'
import { typescriptDatasets } from './typescript.ts'

/** The generated files by their path below `clients/`. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  const model = await readModel()
  return new Map([
    ['python/src/us_banking/_datasets.py', pythonDatasets(model)],
    ['python/src/us_banking/_problems.py', pythonProblems()],
    ['typescript/src/datasets.ts', typescriptDatasets(model)],
  ])
}
