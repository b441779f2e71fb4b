import { spawnSync } from 'node:child_process'

/** The Python that tests use. */
export const python = process.env.PYTHON || 'python3'

/** Why a test that wants these modules is skipped; false where they are there. */
export function withoutModules(modules: string): string | false {
  const { error, stderr } = spawnSync(python, ['-c', `import ${modules}`], { encoding: 'utf8' })
  const why = error?.message ?? stderr.trim().split('\n').at(-1)
  return why ? `${python} cannot import ${modules} (PYTHON names another one): ${why}` : false
}
