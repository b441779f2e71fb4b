/** The training by itself, over panels made here: banks with two measures, of which one tells who fails. */
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { fit } from '../../workers/risk-model/fit.ts'
import { auc, topOf } from '../../workers/risk-model/measures.ts'
import { labelled, readPanel } from '../../workers/risk-model/panel.ts'
import { type Trained, train } from '../../workers/risk-model/train.ts'
import { generator } from '../formula/random-formulas.ts'
import { python, withoutModules } from '../helpers/python.ts'

const features = ['capital', 'noise']
const quarterEnds = Array.from({ length: 24 }, (_, k) => Date.UTC(2011, 3 * k + 3, 0) / 86_400_000)

/** Rows of `quarter, bank, label, capital, noise`: banks of little capital fail. */
function rowsOf(banks = 300): number[][] {
  const random = generator(7)
  return quarterEnds.flatMap((quarter) =>
    Array.from({ length: banks }, (_, bank) => {
      const capital = 2 + 10 * random()
      const noise = random()
      const label = random() < 1 / (1 + Math.exp(1.2 * capital - 3)) ? 1 : 0
      return [quarter, bank, label, capital, noise]
    }),
  )
}
const panelOf = (rows: readonly number[][]) => Float64Array.from(rows.flat())
const trained = (rows: readonly number[][], until: string | null = '2013-03-31'): Trained => {
  const model = train({ panel: panelOf(rows), features, until })
  if ('nothing' in model) throw new Error(model.nothing)
  return model
}

t.test('coefficients are those of scikit-learn', { skip: withoutModules('sklearn') }, (t) => {
  const rows = rowsOf()
  for (const penalty of [0.5, 10]) {
    const panel = readPanel(panelOf(rows), 2)
    const ours = fit(
      panel,
      labelled(panel, () => true),
      penalty,
    ).standardised
    const input = JSON.stringify({
      x: rows.map((row) => row.slice(3)),
      y: rows.map((row) => row[2]),
      penalty,
    })
    const script = new URL('fit_with_sklearn.py', import.meta.url).pathname
    const run = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 1e8 })
    const theirs = JSON.parse(run.stdout) as number[]
    t.equal(theirs.length, ours.length, run.stderr)
    for (const [k, value] of theirs.entries())
      t.ok(Math.abs(value - ours[k]!) < 1e-4, `${value} and ${ours[k]}`)
  }
  t.end()
})

t.test('the same data gives the same model', (t) => {
  t.same(trained(rowsOf()), trained(rowsOf()))
  t.end()
})

t.test('nothing after the window decides the model', (t) => {
  const rows = rowsOf()
  const { coefficients, card } = trained(rows)
  const until = Date.UTC(2013, 2, 31) / 86_400_000
  const changed = trained(
    rows.map(([quarter, bank, label, capital, noise]) =>
      quarter! <= until
        ? [quarter!, bank!, label!, capital!, noise!]
        : [quarter!, bank!, 1 - label!, 14 - capital!, noise!],
    ),
  )
  t.same(changed.coefficients, coefficients, 'other figures and outcomes of later quarters')
  t.same(changed.card.penalties, card.penalties)
  t.notSame(changed.card.measures.at(-1), card.measures.at(-1), 'the test sees them')
  t.same(
    trained(rows.filter(([quarter]) => quarter! <= until)).coefficients,
    coefficients,
    'nor that there are any',
  )
  const parts = card.quarters.map(({ report_date, part }) => `${report_date} ${part}`)
  t.ok(parts.includes('2013-03-31 window'))
  t.ok(parts.includes('2013-12-31 between'), 'whose outcomes overlap those of the window test nothing')
  t.ok(parts.includes('2014-03-31 test'))
  t.end()
})

t.test('what has no label or lacks a feature is not learnt from', (t) => {
  const rows = rowsOf()
  const { coefficients, card } = trained(rows)
  const more = [
    [quarterEnds[0]!, 9_001, Number.NaN, 2, 0.5],
    [quarterEnds[0]!, 9_002, 1, Number.NaN, 0.5],
  ]
  const without = trained([...more, ...rows])
  t.same(without.coefficients, coefficients)
  t.equal(without.card.unlabelled, card.unlabelled + 1)
  t.end()
})

t.test('what cannot be learnt is said', (t) => {
  const survivors = rowsOf(20).map(([quarter, bank, , capital, noise]) => [
    quarter!,
    bank!,
    0,
    capital!,
    noise!,
  ])
  t.match(train({ panel: panelOf(survivors), features, until: null }), { nothing: /failed within a year/ })
  t.match(train({ panel: new Float64Array(), features, until: null }), { nothing: /outcome is known/ })
  t.throws(() => train({ panel: new Float64Array(7), features, until: null }), /rows of 5 numbers/)
  t.end()
})

t.test('measures, worked by hand', (t) => {
  const of = (...values: number[]) => Float64Array.from(values)
  t.equal(auc(of(1, 2, 3, 4), of(0, 0, 1, 1)), 1)
  t.equal(auc(of(1, 2, 3, 4), of(1, 0, 0, 1)), 0.5)
  t.equal(auc(of(1, 1), of(0, 1)), 0.5, 'equals count half')
  t.equal(auc(of(1, 2), of(0, 0)), null)
  const listed = topOf(
    {
      scores: of(4, 3, 2, 1, 9, 8, 7, 6),
      labels: of(0, 1, 0, 0, 1, 0, 0, 0),
      banks: of(1, 2, 3, 4, 1, 2, 3, 4),
      quarters: Int32Array.of(1, 1, 1, 1, 2, 2, 2, 2),
    },
    0.25,
  )
  t.same(
    listed,
    { share: 25, listed: 2, caught: 1, precision: 50, recall: 50 },
    'the riskiest of each quarter',
  )
  t.end()
})
