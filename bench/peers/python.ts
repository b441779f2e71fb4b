import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './server-process.ts'

const requirements = join(import.meta.dirname, 'requirements.txt')

/**
 * The folder of programs of a Python environment with the peers in it: of `BENCH_VENV`, or made below `folder`.
 * @throws Missing where Python or its packages cannot be had
 */
export async function pythonPrograms(folder: string): Promise<string> {
  const given = process.env.BENCH_VENV
  const venv = given || join(folder, 'venv')
  const programs = join(venv, 'bin')
  if (given) return programs
  if (!(await exists(join(programs, 'roapi')))) {
    await runCommand('python3', ['-m', 'venv', venv])
    await runCommand(join(programs, 'pip'), [
      'install',
      '-q',
      '--disable-pip-version-check',
      '-r',
      requirements,
    ])
  }
  return programs
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
