// How the explorer writes figures and names times on axes, without a browser.
import t from 'tap'
import { shortName } from '../../server/explorer/lib/names.ts'
import {
  exact,
  figure,
  percent,
  rangeOf,
  readFigure,
  short,
  THOUSANDS,
  ticks,
} from '../../server/explorer/lib/numbers.ts'
import { around, PLANE } from '../../server/explorer/lib/outlines.ts'
import { days, quarters, years } from '../../server/explorer/lib/periods.ts'

t.test('a percentage has one form, whatever is written into a field', (t) => {
  t.equal(figure(1.2, 'percent'), '1.20%')
  t.equal(short(1.2, 'percent'), '1.20%')
  t.equal(exact(1.2345678, 'percent'), '1.234568%')
  t.equal(percent(-12.34, 1), '−12.3%')
  t.strictSame(ticks([-0.5, 0, 0.5], 'percent'), ['−0.5%', '0.0%', '0.5%'])
  t.strictSame(ticks([0, 500_000_000, 1e9], THOUSANDS), ['$0', '$0.5T', '$1.0T'], 'nothing has no scale')
  for (const text of ['12.5', '12.5%', '12.5 %', ' 12.5  % '])
    t.equal(readFigure(text, 'percent'), 12.5, text)
  t.end()
})

t.test('what is rounded to nothing has no sign', (t) => {
  t.equal(figure(-0.001, 'percent'), '0.00%')
  t.equal(figure(-0.001, 'percentage points'), '0.00 percentage points')
  t.equal(figure(-0.4, 'count'), '0')
  t.equal(figure(-0.01, 'percent'), '−0.01%')
  t.equal(figure(-1, THOUSANDS), '−$1.00 thousand')
  t.end()
})

t.test('an axis makes no mountain of a hundredth of a percentage point', (t) => {
  const [low, high] = rangeOf(3.37, 3.41)
  t.ok(low < 3.1 && high > 3.7, `${low} to ${high}`)
  t.strictSame(rangeOf(1, 2), [1, 2], 'what spans enough is shown as it is')
  t.strictSame(rangeOf(5, 5), [4.5, 5.5])
  t.strictSame(rangeOf(-5, -5), [-5.5, -4.5])
  t.strictSame(rangeOf(0, 0), [-1, 1])
  t.end()
})

t.test('names that stand beside each other leave out what kind of company it is', (t) => {
  t.equal(shortName('Cedarabbey Bank, National Association'), 'Cedarabbey Bank')
  t.equal(shortName('SLATECOTE BANK AND TRUST COMPANY'), 'SLATECOTE BANK AND TRUST')
  t.equal(shortName('Landmark Federal Credit Union'), 'Landmark')
  t.equal(shortName('First National Association of Sandwich'), 'First National Association of Sandwich')
  t.equal(shortName('Bank of America'), 'Bank of America')
  t.end()
})

t.test('a map shows the part of the country that has something, in its proportions', (t) => {
  t.strictSame(around([]), [0, 0, PLANE.width])
  const [left, top, width] = around([
    [
      [800, 100],
      [900, 200],
    ],
  ])
  t.ok(width < PLANE.width / 2 && left < 800 && left + width > 900 && left + width <= PLANE.width)
  t.ok(top < 100 && top + (width * PLANE.height) / PLANE.width > 200)
  const whole = around([
    [
      [10, 10],
      [960, 20],
    ],
  ])
  t.strictSame(whole, [0, 0, PLANE.width])
  t.end()
})

const texts = (marks: readonly { text: string }[]): string[] => marks.map(({ text }) => text)

t.test('an axis of quarters names ends of quarters, those of years where there are many', (t) => {
  t.strictSame(quarters.marks('2025-03-31', '2025-09-30', 4), [
    { date: '2025-03-31', text: '2025 Q1' },
    { date: '2025-06-30', text: '2025 Q2' },
    { date: '2025-09-30', text: '2025 Q3' },
  ])
  t.strictSame(texts(quarters.marks('2024-06-30', '2026-06-30', 5)), [
    ...['2024 Q2', '2024 Q4', '2025 Q2', '2025 Q4', '2026 Q2'],
  ])
  t.strictSame(quarters.marks('2024-06-30', '2026-06-30', 3), [
    { date: '2024-12-31', text: '2024 Q4' },
    { date: '2025-12-31', text: '2025 Q4' },
  ])
  t.strictSame(texts(quarters.marks('2016-09-30', '2026-06-30', 3)), ['2016 Q4', '2020 Q4', '2024 Q4'])
  t.strictSame(texts(quarters.marks('1984-03-31', '2026-06-30', 3)), ['2000 Q4', '2020 Q4'])
  t.end()
})

t.test('an axis of years and one of days keep to one form too', (t) => {
  t.strictSame(years.marks('2011-12-31', '2025-12-31', 8), [
    ...[2012, 2014, 2016, 2018, 2020, 2022, 2024].map((year) => ({
      date: `${year}-12-31`,
      text: String(year),
    })),
  ])
  t.strictSame(texts(days.marks('2021-06-15', '2026-06-15', 6)), ['2022', '2023', '2024', '2025', '2026'])
  // January is a month as every other
  t.strictSame(texts(days.marks('2025-09-10', '2026-05-10', 4)), ['Oct 2025', 'Jan 2026', 'Apr 2026'])
  t.strictSame(texts(days.marks('2026-03-02', '2026-03-06', 5)).slice(0, 2), ['Mar 2, 2026', 'Mar 3, 2026'])
  t.end()
})
