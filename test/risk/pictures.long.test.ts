/** The curves of a card as pictures: each point where the card has it. The frame is 550 by 280 from (70, 340) upwards. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import { measure } from '../../workers/risk-model/measures.ts'
import { type Drawn, draw } from '../../workers/risk-model/pictures.ts'
import { train } from '../../workers/risk-model/train.ts'
import { generator } from '../formula/random-formulas.ts'

const level = { bin: 1, least: 0, most: 1 }
const card: Drawn = {
  quarters: [
    {
      ...{ report_date: '2012-12-31', part: 'window', banks: 50, failures: 4, expected: 1 },
      ...{ auc: null, recall_top_5: null },
    },
    {
      ...{ report_date: '2016-03-31', part: 'test', banks: 150, failures: 1, expected: 10 },
      ...{ auc: null, recall_top_5: null },
    },
  ],
  measures: [
    {
      ...{ part: 'test', observations: 1150, failures: 10, failed_banks: 3 },
      ...{ auc: 0.875, auc_low: 0.5, auc_high: 1 },
      levels: [
        { ...level, banks: 1050, failures: 0, predicted: 0.002, observed: 0 },
        { ...level, banks: 100, failures: 10, predicted: 0.01, observed: 0.1 },
      ],
      curve: [
        { listed: 0, caught: 0 },
        { listed: 0, caught: 0.5 },
        { listed: 0.5, caught: 1 },
        { listed: 1, caught: 1 },
      ],
    },
  ],
}

type Element = Readonly<Record<string, string>>
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name, _path, _leaf, attribute) => !attribute && name !== 'svg',
})
/** The elements of a picture by name, with their attributes. */
function elements(svg: string): Readonly<Record<string, readonly Element[]>> {
  t.equal(XMLValidator.validate(svg), true, 'well-formed')
  return parser.parse(svg).svg
}
const words = (svg: string) => elements(svg).text!.map((text) => String(text['#text']))

const pictures = draw(card)

t.test('the operating curve is the card’s points, with the area', (t) => {
  const [chance, curve] = elements(pictures['operating-curve.svg']!).polyline!
  t.equal(chance!.points, '70,340 620,60')
  t.equal(curve!.points, '70,340 70,200 345,60 620,60')
  const said = words(pictures['operating-curve.svg']!)
  t.ok(said.includes('area 0.8750'))
  t.ok(said.includes('95 % from 0.500 to 1.000, resampling banks'))
  t.ok(
    said.includes('later quarters 2016Q1 to 2016Q1: 1,150 bank quarters, 10 before the failures of 3 banks'),
  )
  t.end()
})

t.test('calibration, on axes from a thousandth to 1', (t) => {
  const svg = pictures['calibration.svg']!
  const [none, ten] = elements(svg).circle!
  // log 0.002 is -2.699: 0.1003 of the way from -3 to 0
  t.match(none, { cx: '125.2', cy: '340', fill: 'none' }, 'without a failure: empty, at the foot')
  t.match(ten, { cx: '253.3', cy: '153.3' }, 'a third and two thirds of the way')
  t.not(ten!.fill, 'none')
  t.ok(words(svg).includes('10 of 100') && words(svg).includes('0 of 1,050'))
  const ticks = words(svg).filter((text) => /^[\d.]+$/.test(text))
  t.same(ticks, ['100', '10', '1', '0.1', '100', '10', '1', '0.1'], 'percent')
  t.end()
})

t.test('quarters on a scale of roots, whose top is 1.3 times the most', (t) => {
  const svg = pictures['quarters.svg']!
  const [four, one] = elements(svg).rect!
  // √(4 / 13) is 0.5547 of 280, √(1 / 13) is 0.2774
  t.match(four, { x: '111.3', y: '184.7', width: '192.5', height: '155.3' })
  t.match(one, { y: '262.3', height: '77.7' })
  const [foretold, most] = elements(svg).circle!
  t.match(foretold, { cx: '207.5', cy: '262.3' })
  t.match(most, { cx: '482.5', cy: '94.4' })
  for (const text of ['2012Q4', '2016Q1', 'learnt from', 'tested']) t.ok(words(svg).includes(text), text)
  t.end()
})

t.test('what a card has no points for is not drawn', (t) => {
  t.same(Object.keys(draw({ quarters: card.quarters, measures: [] })), ['quarters.svg'])
  t.same(draw({ quarters: [], measures: [] }), {})
  t.end()
})

t.test('points that the training writes, worked by hand', (t) => {
  const of = (...values: number[]) => Float64Array.from(values)
  const odds = (p: number) => Math.log(p / (1 - p))
  const { curve, levels } = measure({
    scores: of(odds(0.2), odds(0.00005), odds(0.15), odds(0.15), odds(0.00002)),
    labels: of(1, 0, 1, 0, 0),
    banks: of(1, 2, 3, 4, 5),
    quarters: Int32Array.of(1, 1, 1, 1, 1),
  })
  const third = (n: number) => n / 3
  t.same(curve, [
    { listed: 0, caught: 0 },
    { listed: 0, caught: 0.5 },
    { listed: third(1), caught: 1 },
    { listed: third(2), caught: 1 },
    { listed: 1, caught: 1 },
  ])
  t.match(levels, [
    { bin: 1, banks: 2, failures: 0, observed: 0 },
    { bin: 8, banks: 3, failures: 2, observed: 2 / 3 },
  ])
  t.ok(Math.abs(levels[1]!.predicted - 0.5 / 3) < 1e-12)
  t.end()
})

t.test('a probability that rounds to 1 is of the highest level', (t) => {
  const { levels } = measure({
    scores: Float64Array.of(800, -800),
    labels: Float64Array.of(1, 0),
    banks: Float64Array.of(1, 2),
    quarters: Int32Array.of(1, 1),
  })
  t.match(levels, [
    { bin: 1, banks: 1, failures: 0 },
    { bin: 9, banks: 1, failures: 1, predicted: 1 },
  ])
  t.end()
})

t.test('the pictures of a training, of at most 101 points', (t) => {
  const random = generator(11)
  const rows = Array.from({ length: 24 * 200 }, (_, k) => {
    const capital = 10 * random()
    const quarter = Date.UTC(2011, 3 * Math.floor(k / 200) + 3, 0) / 86_400_000
    return [quarter, k % 200, random() < 1 / (1 + Math.exp(capital)) ? 1 : 0, capital]
  })
  const panel = Float64Array.from(rows.flat())
  const model = train({ panel, features: ['capital'], until: '2013-03-31' })
  if ('nothing' in model) throw new Error(model.nothing)
  const test = model.card.measures.find(({ part }) => part === 'test')!
  t.ok(test.curve.length > 50 && test.curve.length <= 101, `${test.curve.length} points`)
  const drawn = draw(model.card)
  t.same(Object.keys(drawn), ['calibration.svg', 'operating-curve.svg', 'quarters.svg'])
  const points = elements(drawn['operating-curve.svg']!).polyline![1]!.points!.split(' ')
  t.equal(points.length, test.curve.length)
  t.equal(elements(drawn['calibration.svg']!).circle!.length, test.levels.length)
  t.equal(elements(drawn['quarters.svg']!).circle!.length, model.card.quarters.length)
  t.ok(!Object.values(drawn).some((svg) => svg.includes('NaN')))
  t.end()
})
