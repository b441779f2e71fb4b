import { readFileSync } from 'node:fs'
import t from 'tap'
import { check, compile, type Formula, FormulaError, functions } from '../../sql/formula/index.ts'

const known = (mdrm: string) => ['RCFD2170', 'RCON2170', 'RIAD4340'].includes(mdrm)

function refused(formulas: Formula[]): FormulaError {
  try {
    compile({ formulas, outputs: [formulas[0]!.key], items: known })
  } catch (error) {
    if (error instanceof FormulaError) return error
    throw error
  }
  throw new Error('not refused')
}

const faults: [source: string, code: string, column: number, reason: RegExp][] = [
  ['1 + cc:RCON9999[P0]', 'unknown', 5, /unknown MDRM item RCON9999/],
  ['cc:RCFX9999', 'unknown', 1, /unknown MDRM item RCFD9999 or RCON9999/],
  ['1 + m:nothing', 'unknown', 5, /unknown metric m:nothing$/],
  ['2 * m:total_asset', 'unknown', 5, /did you mean m:total_assets\?/],
  ['uc:UBPR1234[P0]', 'unknown', 1, /unknown UBPR concept uc:UBPR1234/],
  ["1 + 'abc'", 'type', 5, /text after '\+', expected number/],
  ['IF(1, 2, 3)', 'type', 4, /number as argument 1 of IF, expected boolean/],
  ['IF(1 = 1, 2, Context.Period.EndDate)', 'type', 14, /number and date as values of IF/],
  ["Context.Period.EndDate > '2001'", 'type', 26, /date and text as values of '>'/],
  ['Context.Period.EndDate + 1', 'type', 1, /date before '\+', expected number/],
  ['1 AND 2 = 2', 'type', 1, /number before AND, expected boolean/],
  ['NOT 3', 'type', 5, /number after NOT/],
  ['true < false', 'type', 6, /between booleans/],
  ['-(1 = 1) + MonthOf(3)', 'type', 20, /number as argument 1 of MonthOf, expected date/],
  ['PCTOF(1)', 'type', 1, /PCTOF has 1 arguments, expected 2/],
  ['ROUND(1, 2, 3)', 'type', 1, /ROUND has 3 arguments, expected 1 or 2/],
  ['IN(1)', 'type', 1, /IN has 1 arguments, expected 2 or more/],
  ['CAVG05X(cc:RCON2170[P0])', 'type', 9, /expected a series/],
  ['#cc:RCON2170', 'type', 1, /names a series: expected a value/],
  ['CHANGEYI(#cc:RCON2170, 1.5)', 'type', 24, /whole number from 0 to 40/],
  ['CHANGEYI(#m:when, 1)', 'type', 10, /date as argument 1 of CHANGEYI, expected a series of numbers/],
]
for (const [source, code, column, reason] of faults) {
  t.test(`refused at build: ${source}`, async (t) => {
    const error = refused([
      { key: 'm:test', source },
      { key: 'm:total_assets', source: 'cc:RCFX2170' },
      { key: 'm:when', source: 'Context.Period.EndDate' },
    ])
    t.match(error, { code, key: 'm:test', place: { line: 1, column } })
    t.match(error.reason, reason)
  })
}

t.test('a cycle is refused with its path, also across periods', async (t) => {
  const error = refused([
    { key: 'm:a', source: '1 + m:b' },
    { key: 'm:b', source: 'SUMOF(\n m:c[-P1Q], 2)' },
    { key: 'm:c', source: 'CAVG05X(#m:b)' },
  ])
  t.match(error, { code: 'cycle', key: 'm:c', place: { line: 1, column: 9 } })
  t.match(error.message, 'm:b → m:c → m:b')
  t.match(refused([{ key: 'm:a', source: 'm:a[-P1Q]' }]).message, 'm:a → m:a')
})

t.test('a key names one formula', async (t) => {
  t.match(
    refused([
      { key: 'm:a', source: '1' },
      { key: 'm:a', source: '2' },
    ]),
    { key: 'm:a', reason: /declared twice/ },
  )
})

t.test('a fault in what a formula depends on is told of that one', async (t) => {
  t.match(
    refused([
      { key: 'm:a', source: 'm:b + 1' },
      { key: 'm:b', source: '1 +' },
    ]),
    { code: 'syntax', key: 'm:b' },
  )
})

t.test('types of formulas, each after those it depends on', async (t) => {
  const formulas = [
    { key: 'm:ratio', source: 'IF(m:late, NULL, ExistingOf(m:flag, 0) + 1)' },
    { key: 'm:flag', source: 'IF(cc:RCON2170 > 0, true, false)' },
    { key: 'm:late', source: "m:when > '2019-01-01'" },
    { key: 'm:when', source: 'Context.Period.EndDate' },
    { key: 'm:peer', source: "IF(m:late, '0001', '0003')" },
    { key: 'm:nothing', source: 'NULL' },
  ]
  t.same(
    [...check({ formulas, items: known }).values()].map((f) => [f.key, f.type]),
    [
      ['m:when', 'date'],
      ['m:late', 'boolean'],
      ['m:flag', 'boolean'],
      ['m:ratio', 'number'],
      ['m:peer', 'text'],
      ['m:nothing', 'number'],
    ],
  )
})

t.test('a plan asks for what it needs and no more', async (t) => {
  const formulas = [
    { key: 'm:assets', source: 'cc:RCFX2170' },
    { key: 'm:average', source: 'CAVG05X(#m:assets)' },
    { key: 'm:old', source: "IF(Context.Period.EndDate < '2001-01-01', cc:RIAD4340[-P1Y], m:assets)" },
    { key: 'm:unused', source: 'cc:RIAD4340[-P9Q]' },
  ]
  const at = (reportDate: string, ...outputs: string[]) =>
    compile({ formulas, outputs, items: known, reportDates: [reportDate] })
  t.same(at('2019-03-31', 'm:average').offsets, [0, 1])
  t.same(at('2019-12-31', 'm:average').offsets, [0, 1, 2, 3, 4])
  t.same(
    at('2019-12-31', 'm:old').items,
    ['RCFD2170', 'RCON2170'],
    'a branch that the date rules out needs nothing',
  )
  t.same(at('2000-12-31', 'm:old').inputs, [{ item: 'RIAD4340', offset: 4 }])
  const any = compile({ formulas, outputs: ['m:average', 'm:old'], items: known })
  t.same(any.items, ['RCFD2170', 'RCON2170', 'RIAD4340'], 'without a date every branch is there')
  t.same(any.offsets, [0, 1, 2, 3, 4])
  t.throws(() => at('2019-12-30', 'm:old'), /expected a quarter-end/)

  const both = (...reportDates: string[]) =>
    compile({ formulas, outputs: ['m:old'], items: known, reportDates })
  t.same(both('2018-12-31', '2019-12-31').items, ['RCFD2170', 'RCON2170'], 'ruled out at each date')
  t.same(both('2000-12-31', '2019-12-31').items, ['RCFD2170', 'RCON2170', 'RIAD4340'])
  t.throws(() => both('2019-09-30', '2019-12-31'), /expected those of one quarter of the year/)
})

t.test('a condition that is a number stands in the guide (UBPRD632) and is taken only there', async (t) => {
  t.equal(
    check({
      formulas: [{ key: 'uc:UBPR0001', source: 'IF((cc:RCON2170[P0]) AND 1 = 1, 2, 3)' }],
      items: known,
    }).size,
    1,
  )
})

t.test('docs/formulas.md lists every function with its meaning', async (t) => {
  const page = readFileSync(new URL('../../docs/formulas.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `(\w+)\([^`]*\)` \| (.*?)( \*\(ours\)\*)? \|$/gm)]
  t.same(
    documented.map(([, name, meaning, ours]) => [name, meaning!.replaceAll('\\|', '|'), !ours]),
    functions.map((f) => [f.name, f.meaning, f.published]),
  )
})
