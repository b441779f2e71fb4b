// Facts of a quarter of the Financial Statement Data Sets as loaded, against those that pandas reads of the same archive.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'
import { loaderEngine } from '../loaders/helpers.ts'
import { noRealData, realData } from './quarters.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('sec_facts.py', import.meta.url))
const noPandas = withoutModules('pandas')

t.test('facts of every bank registrant', { skip: noRealData('sec') || noPandas }, async (t) => {
  const archive = `${realData}sec/fsds/2010q2.zip`
  const file = join(await temporaryFolder(t), 'facts.csv')
  await run(python, [script, archive, file])
  const theirs = (parse(await readFile(file), { from: 2 }) as string[][]).map((fact) => fact.join('|'))
  const { load, rows } = await loaderEngine(t)
  t.match(await load('sec-statements', [archive]), { editions: [{ status: 'published', rowsRejected: 0 }] })
  const ours = async () =>
    (
      await rows<{ fact: string }>(
        `SELECT concat(toString(cik), '|', taxonomy, '|', concept, '|', unit, '|', ifNull(toString(start_date), ''), '|', toString(end_date),
          '|', printf('%.6g', value), '|', toString(fiscal_year), '|', ifNull(fiscal_period, ''), '|', form, '|', accession_number, '|', toString(filed_date)) AS fact FROM sec_facts`,
      )
    ).map(({ fact }) => fact)
  t.equal(theirs.length, 7138)
  t.strictSame((await ours()).sort(), theirs.sort())
  t.match(await load('sec-statements', [archive], true), { editions: [{ status: 'published' }] })
  t.equal((await ours()).length, theirs.length, 'a second load adds none')
})
