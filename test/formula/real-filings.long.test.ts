import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { check, compile, type Formula, interpreter } from '../../sql/formula/index.ts'
import { concepts as helpers, isKnownItem, metrics } from '../../sql/formula/metrics/index.ts'
import { quartersBefore } from '../../sql/quarter.ts'
import { memoryLog, sqlFolder, testEngine } from '../helpers/engine.ts'
import { asOutput, evaluate, type Filing, valuesOf } from './evaluate.ts'
import { concepts, noGuide } from './guide.ts'

const folder = fileURLToPath(new URL('../../../shared/data/ffiec-call-report/', import.meta.url))
if (!existsSync(folder)) t.plan(0, 'no ../shared/data/ffiec-call-report beside the project')
else {
  const loaded = ['2019-03-31', '2018-12-31', '2018-09-30', '2018-06-30']
  const { engine } = await testEngine(t)
  const files = loaded.map((date) => {
    const [year, month, day] = date.split('-')
    return `${folder}FFIEC CDR Call Bulk All Schedules ${month}${day}${year}.zip`
  })
  const outcome = await runLoad(engine, findSource('ffiec-call-report')!, files, {
    progress: silent,
    log: memoryLog(),
    publishing: { derive: async () => {}, sqlFolder: await sqlFolder(t) },
  })
  const failed = outcome.editions.filter((e) => e.status !== 'published')
  if (failed.length > 0) throw new Error(`not loaded: ${failed.map((e) => e.reason).join('; ')}`)
  const { database } = (await currentPublication(engine))!
  const client = engine.loader('default')
  await client.command({ query: 'CREATE DATABASE IF NOT EXISTS formula_test' })
  const rows = async <T>(query: string) =>
    (await client.query({ query, format: 'JSONCompactEachRow' })).json<T>() as unknown as Promise<T[]>

  /** Every form: all filers of the 031, and a spread of the others by RSSD ID. */
  const banks = (
    await rows<[number]>(
      `SELECT rssd_id FROM ${database}.filers WHERE report_date = '2018-12-31'
       ORDER BY form = '031' DESC, cityHash64(rssd_id) LIMIT 200`,
    )
  ).map(([id]) => id)
  const forms = new Map(
    (
      await rows<[string, number, string]>(
        `SELECT report_date, rssd_id, form FROM ${database}.filers WHERE rssd_id IN (${banks})`,
      )
    ).map(([date, id, form]) => [`${date} ${id}`, form]),
  )
  const items = new Map<string, Map<string, number>>()
  for (const [date, id, mdrm, value] of await rows<[string, number, string, number]>(
    `SELECT report_date, rssd_id, mdrm, any(value) FROM ${database}.call_report_items
     WHERE rssd_id IN (${banks}) AND value IS NOT NULL GROUP BY ALL`,
  )) {
    const at = `${date} ${id}`
    const filing = items.get(at) ?? items.set(at, new Map()).get(at)!
    filing.set(mdrm, value)
  }

  const catalog = [...metrics, ...helpers].map(({ key, formula }) => ({ key: `m:${key}`, source: formula }))

  /** Logarithms and powers are correct to the last digit but one: the two come from different libraries. */
  const same = (got: unknown, wanted: unknown): boolean =>
    got === wanted ||
    (typeof got === 'number' &&
      typeof wanted === 'number' &&
      Math.abs(got - wanted) <= Number.EPSILON * Math.abs(wanted))

  /** Compares ClickHouse and the interpreter for every bank, and counts. */
  const compare = async (
    formulas: readonly Formula[],
    reportDate: string,
    known: (mdrm: string) => boolean,
  ) => {
    const outputs = formulas.map((f) => f.key)
    const plan = compile({ formulas, outputs, items: known, reportDates: [reportDate] })
    const filings: Filing[] = banks.map((id) => ({
      id,
      reportDate,
      quarters: new Map(
        plan.offsets.flatMap((k) => {
          const at = `${quartersBefore(reportDate, k)} ${id}`
          const values = items.get(at)
          if (!values) return []
          return [
            [
              k,
              { form: forms.get(at)!, values: plan.items.map((item) => values.get(item) ?? null) },
            ] as const,
          ]
        }),
      ),
    }))
    const found = await evaluate(client, plan, filings, plan.items, 'columns')
    const run = interpreter(formulas)
    const different: string[] = []
    let nonNull = 0
    for (const filing of filings) {
      const input = valuesOf(filing, plan.items)
      outputs.forEach((key, i) => {
        const wanted = asOutput(run(key, input))
        const got = found.get(filing.id)![i]!
        if (wanted !== null) nonNull++
        if (!same(got, wanted)) different.push(`${key}, RSSD ${filing.id}: SQL ${got}, interpreter ${wanted}`)
      })
    }
    return { compared: filings.length * outputs.length, nonNull, different }
  }

  for (const reportDate of ['2018-09-30', '2018-12-31', '2019-03-31']) {
    t.test(`the metric catalog on real filings, ${reportDate}`, async (t) => {
      const { compared, nonNull, different } = await compare(catalog, reportDate, isKnownItem)
      t.comment(
        `${catalog.length} formulas × ${banks.length} banks: ${compared} values, ${nonNull} not NULL, ${different.length} differ`,
      )
      t.ok(nonNull > compared / 2)
      t.same(different.slice(0, 5), [])
    })
  }

  t.test('the published UBPR on real filings', { skip: noGuide }, async (t) => {
    const formulas = concepts()
    const whole = new Set<string>()
    for (const { key } of formulas) {
      try {
        for (const needed of check({ formulas, outputs: [key], items: () => true }).keys()) whole.add(needed)
      } catch {}
    }
    const compiled = formulas.filter((f) => whole.has(f.key))
    const { compared, nonNull, different } = await compare(compiled, '2018-12-31', () => true)
    t.comment(
      `${compiled.length} concepts × ${banks.length} banks: ${compared} values, ${nonNull} not NULL, ${different.length} differ`,
    )
    t.ok(nonNull > compared / 4)
    t.same(different.slice(0, 5), [])
  })
}
