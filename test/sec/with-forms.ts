import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { loadBank } from './bank.ts'

/** A service with the bank and with Forms 3, 4 and 5, each by the name of its file. */
export async function withForms(t: Test, forms: Readonly<Record<string, string>>) {
  const app = await ratesApp(t)
  await loadBank(app)
  const folder = await temporaryFolder(t)
  for (const [name, text] of Object.entries(forms)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const outcome = await app.load('sec-ownership', [folder])
  return { ...app, folder, outcome }
}
