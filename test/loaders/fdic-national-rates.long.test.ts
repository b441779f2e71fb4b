// The layout that FDIC publishes, written by hand: the official file could not be had.
import { utils, write } from '@e965/xlsx'
import t from 'tap'
import { ratesEngine } from '../rates/loading.ts'

type Cell = string | number | null

/** A sheet of the archive: a block of five columns a month, a row a product. */
function archive(sheets: Record<string, Cell[][]>): Buffer {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
}

const BLOCK = [
  'National Rate',
  'National Rate plus 75 bps',
  'Treasury Yield',
  'Treasury Yield - Rate Cap Adjusted',
  'National Rate Cap',
]
const APRIL_2021 = 44_287 // Excel's number of 2021-04-01
const year2021: Cell[][] = [
  ['National Rates and Rate Caps', null],
  [null, APRIL_2021, null, null, null, null, 'May 3, 2021', null, null, null, null],
  ['Deposit Products', ...BLOCK, ...BLOCK],
  ['Savings', 0.06, 0.81, 0.07, 0.83, 0.83, 0.06, 0.81, 0.06, 0.82, 0.82],
  ['Money Market <100M', 0.09, 0.84, 0.07, 0.83, 0.84, 0.09, 0.84, 0.06, 0.82, 0.84],
  ['12 month CD <100M', 0.17, 0.92, 0.06, 0.82, 0.92, '0.16', 0.91, 0.05, null, 0.91],
  ['¹ National rates are averages weighted by deposits.', null],
]

t.test('the archive: found by its words', async (t) => {
  const { loadText, series, rejects } = await ratesEngine(t)
  const outcome = await loadText(
    'fdic-national-rates',
    archive({ Notes: [['Read me']], '2021 Archive': year2021 }),
    'archive.xlsx',
  )
  t.match(outcome, { status: 'published', rowsRead: 2 })
  t.strictSame(await series('FDIC_RATE_SAVINGS'), [
    ['2021-04-01', 0.06],
    ['2021-05-03', 0.06],
  ])
  t.strictSame(await series('FDIC_CAP_CD_12M'), [
    ['2021-04-01', 0.92],
    ['2021-05-03', 0.91],
  ])
  t.strictSame(await series('FDIC_RATE_CD_12M'), [
    ['2021-04-01', 0.17],
    ['2021-05-03', 0.16],
  ])
  t.strictSame(await series('FDIC_TREASURY_CAP_CD_12M'), [['2021-04-01', 0.82]])
  t.strictSame(await rejects(), [])

  await t.test('a product that is new is listed', async (t) => {
    const rows = [...year2021.slice(0, 4), ['7 month CD <100M', 0.1, 0.85, 0.06, 0.82, 0.85]]
    await loadText('fdic-national-rates', archive({ '2021 Archive': rows as Cell[][] }), 'new.xlsx')
    t.match(await rejects(), [{ reason: /the product “7 month CD <100M” in sheet 2021 Archive is new/ }])
  })
  await t.test('a workbook of something else, and none at all', async (t) => {
    t.match(await loadText('fdic-national-rates', archive({ a: [['x', 1]] }), 'x.xlsx'), {
      status: 'failed',
      reason: /no sheet has a row headed “National Rate”/,
    })
    t.match(await loadText('fdic-national-rates', 'PK\u0003\u0004 cut', 'cut.xlsx'), {
      status: 'failed',
      reason: /cut\.xlsx: not a readable zip file .* truncated/,
    })
    t.match(await loadText('fdic-national-rates', '<html>', 'page.xlsx'), {
      status: 'failed',
      reason: /web page/,
    })
  })
})

t.test('the same columns in a CSV', async (t) => {
  const { loadText, series } = await ratesEngine(t)
  const header = 'Date,Deposit Products,National Rate,Treasury Yield,National Rate Cap\n'
  await loadText(
    'fdic-national-rates',
    `${header}06/15/2026,Savings,0.38,3.60,4.35\n06/15/2026,"60 month CD",1.30,4.05,5.61\n`,
  )
  t.strictSame(await series('FDIC_CAP_CD_60M'), [['2026-06-15', 5.61]])
  const twice = `${header}07/20/2026,Savings,0.38,3.60,4.35\n07/20/2026,Savings,0.39,3.60,4.35\n`
  t.match(await loadText('fdic-national-rates', twice), {
    status: 'failed',
    reason: /given twice with other values/,
  })
  t.match(await loadText('fdic-national-rates', `${header}07/20/2026,Savings,0.3`), { status: 'failed' })
  t.equal((await series('FDIC_RATE_SAVINGS')).length, 1)
})
