/** TRAIN=auto: loads of filings and failures train by themselves, over the fixtures of a few filers. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { publishing } from '../../server/publishing.ts'
import { riskFeatures } from '../../sql/formula/metrics/failure-risk.ts'
import { memoryLog, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { edit, quarterFiles, servedRows, zipOf } from '../loaders/helpers.ts'

/** What the fixtures lack of the leverage ratio, in a schedule of theirs: columns and the values of each insured filer. */
const lacking = {
  '2012Q2': {
    schedule: 'RCR',
    codes: ['RCONA224'],
    of: { 101: [1_000_000], 202: [820_000], 404: [2_400_000_000] },
  },
  '2018Q4': {
    ...{ schedule: 'RCRI', codes: ['RCOA8274', 'RCOAA224'] },
    of: { 101: [27_843, 151_000], 202: [30_000, 800_000], 404: [200_000_000, 2_300_000_000] },
  },
} as const

/** A quarter of the fixtures as a zip, with what they lack. */
async function zipped(quarter: keyof typeof lacking): Promise<Buffer> {
  const { schedule, codes, of } = lacking[quarter]
  const added = (line: string, at: number): readonly (string | number)[] => {
    if (at < 2) return codes
    return (of as Readonly<Record<string, readonly number[]>>)[line.split('\t')[0]!] ?? codes.map(() => '')
  }
  const files = edit(await quarterFiles(quarter), schedule, (text) =>
    text
      .split('\r\n')
      .map((line, at) => (line === '' ? line : `${line}${added(line, at).join('\t')}\t`))
      .join('\r\n'),
  )
  return zipOf(files)
}

interface Model {
  version: string
  trained_at: string
  coefficients: number[]
  last_quarter: string
  failures: number
}

/** An engine of a setting, what is loaded into it, and what is served then. */
async function loads(t: Test, env: Record<string, string>) {
  const { engine } = await testEngine(t, env)
  const folder = await temporaryFolder(t)
  const load = (source: string, path: string, force = false) =>
    runLoad(engine, findSource(source)!, [path], { force, progress: silent, log: memoryLog(), publishing })
  return {
    async filings(quarter: keyof typeof lacking) {
      const path = join(folder, `${quarter}.zip`)
      await writeFile(path, await zipped(quarter))
      return load('ffiec-call-report', path)
    },
    async failures(failed: readonly (readonly [cert: number, date: string])[], force?: boolean) {
      const path = join(folder, 'failures.csv')
      const lines = failed.map(([cert, date], k) => `${cert},"${date}","${k + 1}","A BANK","FAILURE"`)
      await writeFile(path, `"CERT","FAILDATE","ID","NAME","RESTYPE"\n${lines.join('\n')}\n`)
      return load('fdic-failures', path, force)
    },
    models: () =>
      servedRows<Model>(
        engine,
        `SELECT version, trained_at, coefficients, JSONExtractString(card, 'last_quarter') AS last_quarter,
            JSONExtractUInt(card, 'failures') AS failures
        FROM risk_models ORDER BY risk_models.trained_at`,
      ),
    scores: () =>
      servedRows<{ report_date: string; cert: number; failure_probability: number | null }>(
        engine,
        'SELECT report_date, cert, failure_probability FROM bank_quarters ORDER BY report_date, rssd_id',
      ),
  }
}

t.test('TRAIN=auto', async (t) => {
  const { filings, failures, models, scores } = await loads(t, { TRAIN: 'auto' })
  t.match(await filings('2012Q2'), { editions: [{ status: 'published' }] })
  t.same(await models(), [], 'without a failure there is nothing to learn from, and the load goes on')
  const first = await scores()
  t.ok(first.length > 2)
  t.ok(first.every(({ failure_probability }) => failure_probability === null))

  // one of them failed within a year; the other tells that the year is over
  const failed = [
    [first[0]!.cert, '10/05/2012'],
    [999_999, '08/02/2013'],
  ] as const
  await failures(failed)
  const [model, ...others] = await models()
  t.same(others, [])
  t.match(model, { last_quarter: '2012-06-30', failures: 1 })
  t.equal(model!.coefficients.length, riskFeatures.length + 1)
  const scored = await scores()
  t.equal(scored.length, first.length)
  const [ofFailed, ...ofRest] = scored.map(({ failure_probability }) => failure_probability!)
  t.ok(
    ofRest.every((probability) => probability > 0 && probability < ofFailed!),
    'that of the bank that failed is the highest',
  )

  const again = await failures(failed)
  t.match(again, { dataVersion: null, editions: [{ status: 'already-there' }] })
  t.match(await failures(failed, true), { editions: [{ status: 'published' }] })
  t.same(await models(), [model], 'the same rows give the model that is in force')
  t.same(await scores(), scored)

  await filings('2018Q4')
  const newest = (await scores()).filter(({ report_date }) => report_date === '2018-12-31')
  t.ok(newest.length > 2)
  t.ok(
    newest.every(({ failure_probability }) => failure_probability! > 0),
    'the newest quarter is scored',
  )
  t.same(await models(), [model], 'a quarter without an outcome teaches nothing')

  await failures([...failed, [newest[0]!.cert, '03/01/2019'], [999_998, '03/06/2020']])
  const [, second, ...more] = await models()
  t.same(more, [])
  t.match(second, { last_quarter: '2018-12-31', failures: 2 })
  t.not(second!.version, model!.version)
  for (const { report_date, cert, failure_probability } of await scores()) {
    const before = scored.find((one) => one.cert === cert && one.report_date === report_date)
    if (before) t.not(failure_probability, before.failure_probability, `${cert} is scored anew`)
  }
})

t.test('by itself nothing trains without it', async (t) => {
  const { filings, failures, models } = await loads(t, {})
  await filings('2012Q2')
  await failures([
    [9001, '10/05/2012'],
    [999_999, '08/02/2013'],
  ])
  t.same(await models(), [])
})
