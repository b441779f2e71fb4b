import t from 'tap'
import { type Expr, FormulaError, guideFormulas, parse } from '../../sql/formula/index.ts'

/** The tree as a fully parenthesised text, without places: what makes two trees easy to compare. */
function show(e: Expr): string {
  switch (e.kind) {
    case 'literal':
      return e.type === 'text' || e.type === 'date' ? `${e.type}'${e.value}'` : String(e.value)
    case 'reference':
      return `${e.space}:${e.code}@${e.period.count}${e.period.unit === 'quarter' ? 'q' : 'z'}`
    case 'series':
      return `#${e.space}:${e.code}`
    case 'context':
      return `<${e.name}>`
    case 'negate':
      return `(- ${show(e.operand)})`
    case 'not':
      return `(NOT ${show(e.operand)})`
    case 'call':
      return `${e.name}(${e.args.map(show).join(', ')})`
    case 'and':
    case 'or':
      return `(${show(e.left)} ${e.kind.toUpperCase()} ${show(e.right)})`
    default:
      return `(${show(e.left)} ${e.operator} ${show(e.right)})`
  }
}

const cases: [why: string, source: string, tree: string][] = [
  ['blanks inside references and periods', 'uc: UBPR1410 [P0]', 'uc:UBPR1410@0q'],
  ['codes in any case', 'uc:UBPRd188[P0] + cc:rconk110[ -P1Q ]', '(uc:UBPRD188@0q + cc:RCONK110@1q)'],
  [
    'functions in any case',
    'if(existingof(cc:RCON1[P0],null)=0,pct(1,2),NULL)',
    'IF((ExistingOf(cc:RCON1@0q, null) = 0), PCT(1, 2), null)',
  ],
  ['a period left out is this quarter', 'm:roa', 'm:roa@0q'],
  ['years are four quarters', 'm:roa[-P1Y] - m:roa[-P3Y]', '(m:roa@4q - m:roa@12q)'],
  ['year-ends', 'uc:UBPR4635[-P1Z]', 'uc:UBPR4635@1z'],
  [
    'a space in a relation',
    'uc:UBPR2170[-P3Q] > = 1 AND 2 < = 3 OR 1 < > 2',
    '(((uc:UBPR2170@3q >= 1) AND (2 <= 3)) OR (1 <> 2))',
  ],
  [
    'an operator glued to the next word',
    "1 = 1 ANDuc:UBPRC752[P0] = 41 ANDIN(uc:UBPR9565[P0],'2001') ORIsNil(cc:RCON1[P0])",
    "((((1 = 1) AND (uc:UBPRC752@0q = 41)) AND IN(uc:UBPR9565@0q, text'2001')) OR IsNil(cc:RCON1@0q))",
  ],
  [
    'a number glued to AND',
    'IF(uc:UBPR2170[P0] > 0AND 1 = 1, 1, 2)',
    'IF(((uc:UBPR2170@0q > 0) AND (1 = 1)), 1, 2)',
  ],
  [
    'typographic quotes and dashes',
    '\u20182007-01-01\u2019 = \u20182007-01-01\u2019 AND 3 \u2013 1 = 2',
    "((date'2007-01-01' = date'2007-01-01') AND ((3 - 1) = 2))",
  ],
  ['dates and other text', "IN('2001-01-01', '0003')", "IN(date'2001-01-01', text'0003')"],
  ['decimals without a zero', 'ROUND(1 / .34,3)', 'ROUND((1 / 0.34), 3)'],
  ['a sign as a factor', '2 * -1 - -3', '((2 * (- 1)) - (- 3))'],
  [
    'precedence',
    'NOT 1 + 2 * 3 = 7 AND 1 = 2 OR 3 = 3',
    '(((NOT ((1 + (2 * 3)) = 7)) AND (1 = 2)) OR (3 = 3))',
  ],
  ['left to right', '10 - 4 - 3', '((10 - 4) - 3)'],
  [
    'the context',
    'MonthOf(Context.Period.EndDate) = Context.Form * ANN',
    '(MonthOf(<end-date>) = (<form> * <annualisation>))',
  ],
  ['a series', 'CAVG05X(#uc: UBPRK426)', 'CAVG05X(#uc:UBPRK426)'],
  ['infix IN', 'm:x IN (1, 2)', 'IN(m:x@0q, 1, 2)'],
  [
    'a prefix that its code contradicts',
    'uc:RCON5402[P0] + cc:UBPR2081[P0]',
    '(cc:RCON5402@0q + uc:UBPR2081@0q)',
  ],
  ['words that only begin with an operator', 'm:android + m:order', '(m:android@0q + m:order@0q)'],
]
for (const [why, source, tree] of cases) {
  t.test(why, async (t) => t.equal(show(parse(source)), tree))
}

const faults: [source: string, line: number, column: number, reason: RegExp][] = [
  ['', 1, 1, /empty formula/],
  ['1 +', 1, 4, /end of the formula.*expected a value/],
  ['(1 + 2', 1, 7, /expected '\)'/],
  ['1 2', 1, 3, /found "2", expected an operator/],
  ['IF(1 = 1,\n  2,\n  @)', 3, 3, /unexpected "@"/],
  ["cc:RCON1[P0] > '2001", 1, 16, /never closed/],
  ['cc:RCON1[P0', 1, 9, /never closed/],
  ['cc:RCON1[-P1M]', 1, 9, /unknown period \[-P1M\]: expected \[P0\]/],
  ['cc:RCON1[-P0Q]', 1, 9, /unknown period/],
  ['PCTOV(1, 2)', 1, 1, /unknown function PCTOV: expected one of .*PCTOF/],
  ['1 + total_assets', 1, 5, /expected a value, a reference \(cc:, uc: or m:\)/],
  ["'2001-02-30'", 1, 1, /no date of the calendar/],
  ['Context.Period.Start', 1, 21, /Context\.Period\.EndDate or Context\.Form/],
  ['CAVG05X(#3)', 1, 10, /a reference after '#'/],
  ['1 = 2 = 3', 1, 7, /expected an operator or the end/],
]
for (const [source, line, column, reason] of faults) {
  t.test(`refused: ${JSON.stringify(source)}`, async (t) => {
    try {
      parse(source, 'm:test')
      t.fail('parsed')
    } catch (error) {
      t.type(error, FormulaError)
      const { key, place, message } = error as FormulaError
      t.match({ key, line: place?.line, column: place?.column }, { key: 'm:test', line, column })
      t.match(message, reason)
      t.match(message, `formula m:test (line ${line}, column ${column})`)
    }
  })
}

t.test("a cell of the guide's tables holds the formulas of several concepts", async (t) => {
  t.same(
    guideFormulas(
      'UBPR1410',
      'uc:UBPRd188[P0]1.2 UBPRE132CHANGEQI(#uc:UBPR1410,1)1.3 UBPRE179CHANGEYI(#uc:UBPR1410,1)',
    ),
    [
      { key: 'uc:UBPR1410', source: 'uc:UBPRd188[P0]' },
      { key: 'uc:UBPRE132', source: 'CHANGEQI(#uc:UBPR1410,1)' },
      { key: 'uc:UBPRE179', source: 'CHANGEYI(#uc:UBPR1410,1)' },
    ],
  )
  t.same(guideFormulas('UBPR1', 'IF(1 = 1,NULL,2)38.3 UBPRE210IF(1 > 2,3,4)'), [
    { key: 'uc:UBPR1', source: 'IF(1 = 1,NULL,2)' },
    { key: 'uc:UBPRE210', source: 'IF(1 > 2,3,4)' },
  ])
  t.same(guideFormulas('UBPR1', ' '), [])
})
