import t, { type Test } from 'tap'
import { compile, type Formula, type FormulaPlan, interpreter, type Value } from '../../sql/formula/index.ts'
import { quartersBefore } from '../../sql/quarter.ts'
import { testEngine } from '../helpers/engine.ts'
import { asOutput, evaluate, type Filing, valuesOf } from './evaluate.ts'
import { generator, randomFormulas, randomValue } from './random-formulas.ts'

const { engine } = await testEngine(t)
const client = engine.loader('default')
await client.command({ query: 'CREATE DATABASE formula_test' })

/** Compares ClickHouse and the interpreter on every formula and filing; returns the differences, printed whole. */
async function differences(
  formulas: readonly Formula[],
  filings: (plan: FormulaPlan) => Filing[],
  options: { reportDates?: string[]; outputs?: 'columns' | 'array' },
): Promise<{ compared: number; nonNull: number; different: string[] }> {
  const outputs = formulas.map((f) => f.key)
  const plan = compile({ formulas, outputs, items: () => true, reportDates: options.reportDates })
  const rows = filings(plan)
  const dictionary = plan.items
  const got = await evaluate(client, plan, rows, dictionary, options.outputs ?? 'columns')
  const run = interpreter(formulas)
  const different: string[] = []
  let compared = 0
  let nonNull = 0
  for (const row of rows) {
    const filing = valuesOf(row, dictionary)
    formulas.forEach(({ key, source }, i) => {
      const wanted = asOutput(run(key, filing))
      const found = got.get(row.id)![i]!
      compared++
      if (wanted !== null) nonNull++
      if (wanted !== found && !(wanted === 0 && found === 0)) {
        different.push(
          `${key} = ${source}\n  ${row.reportDate}, filing ${row.id}: SQL ${found}, interpreter ${wanted}`,
        )
      }
    })
  }
  return { compared, nonNull, different }
}

function randomFilings(random: () => number, count: number, dateOf: (i: number) => string) {
  return (plan: FormulaPlan): Filing[] =>
    Array.from({ length: count }, (_, id) => ({
      id,
      reportDate: dateOf(id),
      quarters: new Map(
        plan.offsets
          .filter((k) => k === 0 || random() > 0.15)
          .map((k) => [
            k,
            {
              form: ['031', '041', '051'][Math.floor(random() * 3)]!,
              values: plan.items.map(() => randomValue(random)),
            },
          ]),
      ),
    }))
}

for (const seed of [1, 2]) {
  t.test(
    `random formulas agree with the interpreter to the last bit, dates at run time (seed ${seed})`,
    async (t) => {
      const random = generator(seed)
      const formulas = randomFormulas(random, 120)
      const filings = randomFilings(random, 120, (i) => quartersBefore('2019-12-31', i % 6))
      const { compared, nonNull, different } = await differences(formulas, filings, {})
      t.comment(`${compared} values compared, ${nonNull} not NULL`)
      t.equal(different.slice(0, 3).join('\n'), '')
      t.ok(nonNull > compared / 4, 'most values mean something')
    },
  )

  t.test(`and with the dates known at compile time (seed ${seed})`, async (t) => {
    const random = generator(100 + seed)
    const formulas = randomFormulas(random, 120)
    for (const reportDate of ['2018-12-31', '2019-03-31', '2019-06-30', '2019-09-30']) {
      // on both sides of dates in the formulas: those conditions are left to the rows
      const reportDates = [reportDate, ...(seed % 2 ? [`2003${reportDate.slice(4)}`] : [])]
      const filings = randomFilings(random, 60, (i) => reportDates[i % reportDates.length]!)
      const outputs = reportDate === '2019-03-31' ? 'array' : 'columns'
      const { compared, nonNull, different } = await differences(formulas, filings, { reportDates, outputs })
      t.comment(`${reportDate}: ${compared} values compared, ${nonNull} not NULL`)
      t.equal(different.slice(0, 3).join('\n'), '')
    }
  })
}

/** Runs one formula over single values of items A, B and C; the date is 2019-09-30 unless given. */
async function one(
  t: Test,
  source: string,
  rows: (number | null)[][],
  reportDate?: string,
  key = 'm:f',
): Promise<Value[]> {
  const items = ['RCONA001', 'RCONB001', 'RCONC001']
  const text = source.replace(/\b([ABC])\b(?!\s*[:(])/g, (_, letter) => `cc:RCON${letter}001`)
  const formulas = [{ key, source: text }]
  const plan = compile({
    formulas,
    outputs: [key],
    items: (i) => items.includes(i),
    ...(reportDate && { reportDates: [reportDate] }),
  })
  const filings = rows.map((values, id) => ({
    id,
    reportDate: reportDate ?? '2019-09-30',
    quarters: new Map(plan.offsets.map((k) => [k, { form: '041', values: k === 0 ? values : [] }])),
  }))
  const got = await evaluate(client, plan, filings, items, 'columns')
  const run = interpreter(formulas)
  const values = rows.map((_, id) => got.get(id)![0]!)
  const interpreted = filings.map((f) => asOutput(run(key, valuesOf(f, items))))
  t.same(interpreted, values, `interpreter agrees on ${source}`)
  return values
}

t.test('three-valued logic, worked by hand', async (t) => {
  // A and B stand for TRUE (1 > 0), FALSE (-1 > 0) and NULL; 1 true, 0 false, null unknown.
  const pairs = [1, -1, null].flatMap((a) => [1, -1, null].map((b) => [a, b, null]))
  const answer = (condition: string) => one(t, `IF(${condition}, 1, IF(NOT (${condition}), 0, NULL))`, pairs)
  //                                            TT TF TN     FT FF FN     NT    NF    NN
  t.same(await answer('A > 0 AND B > 0'), [1, 0, null, 0, 0, 0, null, 0, null])
  t.same(await answer('A > 0 OR B > 0'), [1, 1, 1, 1, 0, null, 1, null, null])
  t.same(
    await one(t, 'IF(NOT (A > 0), 1, 2)', [
      [1, null, null],
      [-1, null, null],
      [null, null, null],
    ]),
    [2, 1, 2],
  )
  t.same(await one(t, 'IF(IN(A, 1, B), 1, IF(NOT IN(A, 1, B), 0, NULL))', pairs), [
    1,
    1,
    1,
    0,
    1,
    null,
    null,
    null,
    null,
  ])
  t.same(
    await one(t, 'IF(A = NULL, 1, 2)', [
      [1, null, null],
      [null, null, null],
    ]),
    [2, 2],
  )
})

t.test('null and zero in arithmetic', async (t) => {
  const rows = [
    [6, 3, 1],
    [6, 0, 1],
    [6, null, 1],
    [0, 0, 0],
    [null, null, null],
    [0, 3, null],
  ]
  t.same(await one(t, 'A + B', rows), [9, 6, null, 0, null, 3])
  t.same(await one(t, 'A / B', rows), [2, null, null, null, null, 0])
  t.same(await one(t, 'PCTOF(A, B)', rows), [200, null, null, null, null, 0])
  t.same(await one(t, 'PCT(A, B)', rows), [2, null, null, null, null, 0])
  t.same(await one(t, 'SUMOF(A, B, C)', rows), [10, 7, 7, 0, null, 3])
  t.same(await one(t, 'ExistingOf(B, C)', rows), [3, 0, 1, 0, null, 3])
  t.same(await one(t, "ExistingOf(B, '0') + A", rows), [9, 6, 6, 0, null, 3])
  t.same(await one(t, 'IF(B <> 0, A, -1)', rows), [6, -1, -1, -1, -1, 0])
  t.same(await one(t, 'IsNil(A)', rows), [0, 0, 0, 0, 1, 0])
  t.same(await one(t, 'MIN(A, B)', rows), [3, 0, null, 0, null, 0])
  t.same(await one(t, 'MAX(A, B, 4)', rows), [6, 6, null, 4, null, 4])
  t.same(await one(t, 'CAVG05X(#A)', rows), [6, 6, 6, 0, null, 0], 'absent quarters do not count')
})

t.test('what is no finite number is NULL', async (t) => {
  const rows = [
    [1e300, 1e300, 0],
    [1e-310, 1e300, 0],
  ]
  t.same(await one(t, 'A * B', rows), [null, 1e-310 * 1e300])
  t.same(await one(t, 'A * B - A * B', rows), [null, 0], 'infinity less infinity')
  t.same(await one(t, 'B / A', rows), [1, null])
  t.same(await one(t, 'POWER(C - 2, 0.5)', rows), [null, null])
  t.same(await one(t, 'POWER(C + 2, 3)', rows), [8, 8])
  t.same(await one(t, 'EXP(C)', rows), [1, 1])
  t.same(await one(t, 'EXP(A)', rows), [null, 1], 'too large')
  t.same(await one(t, 'LN(EXP(C))', rows), [0, 0])
  t.same(await one(t, 'LN(C)', rows), [null, null], 'of zero')
  t.same(await one(t, 'LN(C - 1)', rows), [null, null], 'of what is below zero')
  t.same(await one(t, 'LN(0) + EXP(1000)', rows), [null, null], 'constants likewise')
})

t.test('annualising by the month of the report', async (t) => {
  const rows = [[3, 100, null]]
  for (const [date, factor] of [
    ['2019-03-31', 4],
    ['2019-06-30', 2],
    ['2019-09-30', 12 / 9],
    ['2019-12-31', 1],
  ] as const) {
    t.same(await one(t, 'PCTOFANN(A, B)', rows, date), [(3 / 100) * 100 * factor])
    t.same(await one(t, 'ANN', rows, date), [factor])
    const published = date === '2019-09-30' ? 1.3333 : factor
    t.same(await one(t, 'PCTOFANN(A, B)', rows, date, 'uc:UBPRF001'), [(3 / 100) * 100 * published])
    t.same(await one(t, 'PCTANN(A, B) + ANN', rows, date, 'uc:UBPRF001'), [0.03 * published + published])
  }
})

t.test('halves round away from zero', async (t) => {
  const rows = [
    [2.5, null, null],
    [-2.5, null, null],
    [0.125, null, null],
    [null, null, null],
  ]
  t.same(await one(t, 'ROUND(A)', rows), [3, -3, 0, null])
  t.same(await one(t, 'ROUND(A, 2)', rows), [2.5, -2.5, 0.13, null])
})

t.test('periods: quarters, years, year-ends and what is made of them', async (t) => {
  const series = 'RIAD4340'
  // A year-to-date flow over nine quarters to 2019-09-30: 2019 Q3, Q2, Q1; 2018 Q4..Q1; 2017 Q4, Q3.
  const values = [90, 50, 20, 120, 80, 45, 15, 100, 60]
  const cases: Record<string, Value> = {
    'cc:RIAD4340[-P1Q]': 50,
    'cc:RIAD4340[-P1Y]': 80,
    'cc:RIAD4340[-P1Z]': 120,
    'cc:RIAD4340[-P2Z]': 100,
    'm:ytd[-P1Y] + m:year_end[-P1Q]': 80 + 120,
    'm:year_end[-P3Q]': 100, // from 2018-12-31 the year-end before is 2017-12-31
    'QUARTER(#cc:RIAD4340)': 40,
    'm:quarter[-P2Q]': 20,
    'TTM(#cc:RIAD4340)': 90 + 120 - 80,
    'CAVG02X(#cc:RIAD4340)': 70,
    'CAVG04X(#cc:RIAD4340)': (90 + 50 + 20) / 3,
    'CAVG05X(#cc:RIAD4340)': (90 + 50 + 20 + 120) / 4,
    'CHANGEYI(#cc:RIAD4340, 1)': ((90 - 80) / 80) * 100,
    'CHANGEYI(#cc:RIAD4340, 2)': ((90 - 60) / 60) * 100,
    'CHANGEQA(#m:negative, 1)': ((-90 - -50) / 50) * 100,
    "IF(Context.Period.EndDate > '2019-06-30', 1, 0)": 1,
    'm:is_june[-P1Q] + 0': 1,
  }
  const formulas: Formula[] = [
    { key: 'm:ytd', source: 'cc:RIAD4340' },
    { key: 'm:year_end', source: 'cc:RIAD4340[-P1Z]' },
    { key: 'm:quarter', source: 'QUARTER(#cc:RIAD4340)' },
    { key: 'm:negative', source: '-m:ytd' },
    { key: 'm:is_june', source: 'MonthOf(Context.Period.EndDate) = 6' },
    ...Object.keys(cases).map((source, i) => ({ key: `m:case${i}`, source })),
  ]
  for (const reportDates of [['2019-09-30'], ['2011-09-30', '2019-09-30'], undefined]) {
    const outputs = Object.keys(cases).map((_, i) => `m:case${i}`)
    const plan = compile({ formulas, outputs, items: (i) => i === series, reportDates })
    const quarters = new Map(plan.offsets.map((k) => [k, { form: '041', values: k < 9 ? [values[k]!] : [] }]))
    const got = await evaluate(
      client,
      plan,
      [{ id: 1, reportDate: '2019-09-30', quarters }],
      [series],
      'columns',
    )
    t.same(got.get(1), Object.values(cases), `${reportDates ?? 'at run time'}`)
  }
})

t.test('the consolidated item where it is filed, else the domestic one', async (t) => {
  const items = ['RCFD2170', 'RCON2170']
  const formulas = [{ key: 'm:a', source: 'cc:RCFX2170[P0]' }]
  const plan = compile({ formulas, outputs: ['m:a'], items: (i) => items.includes(i) })
  const filings = [
    [5, 4],
    [null, 4],
    [null, null],
  ].map((values, id) => ({
    id,
    reportDate: '2019-09-30',
    quarters: new Map([[0, { form: '041', values }]]),
  }))
  t.same([...(await evaluate(client, plan, filings, items, 'columns')).values()].flat(), [5, 4, null])
})

t.test('an item outside the dictionary is absent, and the form is known', async (t) => {
  const formulas = [{ key: 'm:a', source: 'IF(Context.Form = 41, ExistingOf(cc:RCON9999, cc:RCON2170), 0)' }]
  const plan = compile({ formulas, outputs: ['m:a'], items: () => true })
  const quarters = new Map([[0, { form: '041', values: [7] }]])
  const got = await evaluate(
    client,
    plan,
    [{ id: 0, reportDate: '2019-09-30', quarters }],
    ['RCON2170'],
    'columns',
  )
  t.same(got.get(0), [7])
})
