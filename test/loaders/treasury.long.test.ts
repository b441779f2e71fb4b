// Treasury's tables in every generation, and what a file that is not sound leaves.
import t from 'tap'
import { ratesEngine } from '../rates/loading.ts'

t.test('every generation of header and every form of date gives the same series', async (t) => {
  const { loadText, series, rows } = await ratesEngine(t)
  await t.test('1990s, two-digit years, no line end', async (t) => {
    const text = 'Date,1 Mo,3 Mo,6 Mo,30 Yr\n1/4/90,,7.84,7.90,8\n1/3/90,,7.89,7.94,8.04\n1/2/90,,7.83,7.89,8'
    const outcome = await loadText('treasury', text)
    t.equal(outcome.status, 'published')
    t.strictSame(await series('UST_PAR_30Y'), [
      ['1990-01-02', 8],
      ['1990-01-03', 8.04],
      ['1990-01-04', 8],
    ])
    t.strictSame(await series('UST_PAR_1M'), [], 'blank is absent, not 0')
  })
  await t.test('quoted headings, four-digit years, CRLF', async (t) => {
    const text =
      'Date,"1 Mo","2 Mo","4 Mo","10 Yr"\r\n10/21/2022,3.55,3.78,4.31,4.21\r\n10/04/2022,2.91,3.23,,3.62\r\n'
    await loadText('treasury', text)
    t.strictSame(await series('UST_PAR_4M'), [['2022-10-21', 4.31]])
    t.strictSame(await series('UST_PAR_10Y'), [
      ['2022-10-04', 3.62],
      ['2022-10-21', 4.21],
    ])
  })
  await t.test('“1.5 Month”, ISO dates, a byte order mark', async (t) => {
    await loadText(
      'treasury',
      '\uFEFFDate,1 Mo,1.5 Month,2 Mo\n2025-02-19,4.36,4.37,4.36\n2025-02-18,4.38,4.39,4.37\n',
    )
    t.strictSame(await series('UST_PAR_1.5M'), [
      ['2025-02-18', 4.39],
      ['2025-02-19', 4.37],
    ])
  })
  await t.test('day-month-year', async (t) => {
    await loadText('treasury', 'Date,2 Yr,10 Yr\n04-Jan-99,4.58,4.69\n05-Jan-1999,4.60,4.74\n')
    t.strictSame(await series('UST_PAR_2Y'), [
      ['1999-01-04', 4.58],
      ['1999-01-05', 4.6],
    ])
  })
  await t.test('real yields are told from par yields by their maturities', async (t) => {
    await loadText(
      'treasury',
      'Date,"5 YR","7 YR","10 YR","20 YR","30 YR"\n01/03/2022,-1.51,-1.20,-0.97,-0.58,-0.39\n',
    )
    t.strictSame(await series('UST_REAL_10Y'), [['2022-01-03', -0.97]])
  })
  await t.test('bills', async (t) => {
    await loadText(
      'treasury',
      'Date,"4 WEEKS BANK DISCOUNT","4 WEEKS COUPON EQUIVALENT","17 WEEKS BANK DISCOUNT","17 WEEKS COUPON EQUIVALENT"\n01/02/2024,5.30,5.41,,\n',
    )
    t.strictSame(await series('UST_BILL_DISCOUNT_4W'), [['2024-01-02', 5.3]])
    t.strictSame(await series('UST_BILL_COUPON_4W'), [['2024-01-02', 5.41]])
  })
  t.strictSame(await rows('SELECT count() AS n FROM load_rejects'), [{ n: 0 }])
})

const entry = (date: string, elements: string) =>
  `<entry><content type="application/xml"><m:properties><d:Id m:type="Edm.Int32">1</d:Id>
  <d:NEW_DATE m:type="Edm.DateTime">${date}T00:00:00</d:NEW_DATE>${elements}</m:properties></content></entry>`
const feed = (...entries: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:d="x" xmlns:m="y">${entries.join('\n')}</feed>`
const rate = (name: string, value: string) => `<d:${name} m:type="Edm.Double">${value}</d:${name}>`

t.test('the XML feed', async (t) => {
  const { loadText, series, rejects } = await ratesEngine(t)
  await t.test('entries, absent and null elements', async (t) => {
    const text = feed(
      entry(
        '2022-02-01',
        rate('BC_1MONTH', '0.04') + rate('BC_30YEAR', '2.12') + rate('BC_30YEARDISPLAY', '2.12'),
      ),
      entry('2022-02-02', `<d:BC_1MONTH m:null="true" />${rate('BC_1_5MONTH', '0.06')}`),
    )
    t.equal((await loadText('treasury', text, 'feed.xml')).status, 'published')
    t.strictSame(await series('UST_PAR_1M'), [['2022-02-01', 0.04]])
    t.strictSame(await series('UST_PAR_1.5M'), [['2022-02-02', 0.06]])
    t.strictSame(await rejects(), [])
  })
  await t.test('bare properties, bills, real yields, an element that is new', async (t) => {
    const bills = `<m:properties><d:INDEX_DATE>2024-01-02T00:00:00</d:INDEX_DATE><d:QUOTE_DATE>2024-01-02T00:00:00</d:QUOTE_DATE>
      ${rate('ROUND_B1_CLOSE_13WK_2', '5.22')}${rate('ROUND_B1_YIELD_13WK_2', '5.38')}<d:CUSIP_13WK>912797AB1</d:CUSIP_13WK>
      ${rate('TC_5YEAR', '1.71')}${rate('BC_40YEAR', '4.99')}</m:properties>`
    await loadText('treasury', bills, 'bills.xml')
    t.strictSame(await series('UST_BILL_COUPON_13W'), [['2024-01-02', 5.38]])
    t.strictSame(await series('UST_REAL_5Y'), [['2024-01-02', 1.71]])
    t.match(await rejects(), [{ line: 1, reason: /the column “BC_40YEAR” is new/ }])
  })
  await t.test('cut short, or with a document type', async (t) => {
    const whole = feed(entry('2022-03-01', rate('BC_1MONTH', '0.11')))
    t.match(await loadText('treasury', whole.slice(0, -30), 'cut.xml'), {
      status: 'failed',
      reason: /not whole XML/,
    })
    const harmful = whole.replace('<feed', '<!DOCTYPE feed [<!ENTITY a "1">]><feed')
    t.match(await loadText('treasury', harmful, 'entities.xml'), {
      status: 'failed',
      reason: /document type/,
    })
    t.strictSame(await series('UST_PAR_1M'), [['2022-02-01', 0.04]], 'what was loaded stays')
  })
})

const HEADER = 'Date,"1 Mo","2 Yr","10 Yr"\n'

t.test('bad files: what was loaded stays', async (t) => {
  const { loadText, series, rejects } = await ratesEngine(t)
  await loadText(
    'treasury',
    `${HEADER}01/05/2023,4.30,4.40,3.70\n01/04/2023,4.20,4.36,3.69\n01/03/2023,4.17,4.40,3.79\n`,
  )
  const before = await series('UST_PAR_10Y')
  t.equal(before.length, 3)

  await t.test('a login page', async (t) => {
    const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>…</body></html>'
    t.match(await loadText('treasury', page), { status: 'failed', reason: /web page \(HTML\), not data/ })
  })
  await t.test('an empty file, a header alone, another table', async (t) => {
    t.match(await loadText('treasury', ''), { status: 'failed', reason: /the file is empty/ })
    t.match(await loadText('treasury', HEADER), { status: 'failed', reason: /no line below the header/ })
    t.match(
      await loadText(
        'treasury',
        'Date,"LT COMPOSITE (>10 Yrs)","TREASURY 20-Yr CMT","Extrapolation Factor"\n',
      ),
      {
        status: 'failed',
        reason: /expected a header such as “Date,1 Mo,2 Yr,10 Yr”; the first line is “Date,"LT COMPOSITE/,
      },
    )
  })
  await t.test('most lines unreadable', async (t) => {
    const outcome = await loadText('treasury', `${HEADER}yesterday,1.00,1.00,1.00\ntoday,1.00,1.00,1.00\n`)
    t.match(outcome, {
      status: 'failed',
      reason: /2 of 2 lines cannot be read; the first is line 2: “yesterday” is no date/,
    })
  })
  t.strictSame(await series('UST_PAR_10Y'), before)

  await t.test('a last line that is cut', async (t) => {
    for (const cut of ['01/06/2023,4.32,4.2', '01/06/2023,4.32,4.24,3.5', '01/06/20']) {
      await loadText('treasury', `${HEADER}01/09/2023,4.37,4.19,3.53\n01/07/2023,4.37,4.19,3.53\n${cut}`)
      t.match(await rejects(), [{ line: 4, reason: /cut short|fields where|no date/ }], cut)
      t.notOk(
        (await series('UST_PAR_2Y')).some(([date]) => date === '2023-01-06'),
        cut,
      )
    }
  })
  await t.test('a column that is new', async (t) => {
    await loadText('treasury', 'Date,"1 Mo","2 Yr","10 Yr","50 Yr"\n01/10/2023,4.41,4.24,3.61,3.99\n')
    t.match(await rejects(), [{ line: 1, reason: /the column “50 Yr” is new.*the other columns were read/ }])
    t.strictSame((await series('UST_PAR_2Y')).at(-1), ['2023-01-10', 4.24])
  })
  await t.test('a date out of order', async (t) => {
    await loadText(
      'treasury',
      `${HEADER}01/18/2023,4.60,4.06,3.37\n01/12/2032,4.60,4.12,3.43\n01/13/2028,4.59,4.22,3.49\n06/17/2023,4.61,4.18,3.53\n01/12/2023,4.58,4.12,3.43\n01/11/2023,4.55,4.20,3.54\n01/10/2023,4.41,4.24,3.61\n01/09/2023,4.37,4.19,3.53\n`,
    )
    t.match(await rejects(), [
      { line: 3, reason: /lies in the future/ },
      { line: 4, reason: /lies in the future/ },
      { line: 5, reason: /out of order/ },
    ])
    t.strictSame(
      (await series('UST_PAR_10Y')).slice(-3).map(([date]) => date),
      ['2023-01-11', '2023-01-12', '2023-01-18'],
    )
  })
  await t.test('a day twice: with the same values once, with others not at all', async (t) => {
    await loadText(
      'treasury',
      `${HEADER}01/24/2023,4.60,4.12,3.46\n01/23/2023,4.61,4.21,3.52\n01/23/2023,4.61,4.21,3.52\n01/20/2023,4.62,4.14,3.48\n01/20/2023,4.62,4.14,3.99\n01/19/2023,4.63,4.10,3.39\n01/18/2023,4.60,4.06,3.37\n`,
    )
    t.match(await rejects(), [
      { line: 4, reason: 'repeats line 3' },
      { line: 5, reason: /2023-01-20 is given 2 times with other values/ },
      { line: 6, reason: /2023-01-20 is given 2 times with other values/ },
    ])
    t.strictSame(
      (await series('UST_PAR_10Y')).slice(-3).map(([date]) => date),
      ['2023-01-19', '2023-01-23', '2023-01-24'],
    )
  })
  await t.test('a value that is no number, a day that is none', async (t) => {
    await loadText(
      'treasury',
      `${HEADER}02/30/2023,4.60,4.12,3.46\n01/26/2023,4.6O,4.19,3.49\n01/25/2023,4.64,4.14,3.46\n`,
    )
    t.match(await rejects(), [
      { line: 2, reason: /“02\/30\/2023” is no day of the calendar/ },
      { line: 3, reason: /“4\.6O” in column “1 Mo” is no number/ },
    ])
    t.strictSame(
      (await series('UST_PAR_2Y')).at(-1),
      ['2023-01-26', 4.19],
      'the other values of the line are kept',
    )
  })
  await t.test('a first or a last day that is out of order', async (t) => {
    const days = ['02/06/2023', '02/03/2023', '02/02/2023', '02/01/2023', '01/31/2023']
    const text = (list: string[]) => `${HEADER}${list.map((day) => `${day},4.60,4.12,3.46`).join('\n')}\n`
    await loadText('treasury', text(['01/02/2023', ...days]))
    t.match(await rejects(), [{ line: 2, reason: /out of order/ }])
    await loadText('treasury', text([...days, '06/30/2023']))
    t.match(await rejects(), [{ line: 7, reason: /out of order/ }])
    const neither = [
      '02/06/2023',
      '02/03/2023',
      '02/02/2023',
      '01/31/2023',
      '02/21/2023',
      '02/17/2023',
      '02/16/2023',
      '02/15/2023',
    ]
    t.match(await loadText('treasury', text(neither)), {
      status: 'failed',
      reason: /neither forwards nor backwards/,
    })
    t.strictSame(
      (await series('UST_PAR_10Y')).slice(-5).map(([date]) => date),
      ['2023-01-31', '2023-02-01', '2023-02-02', '2023-02-03', '2023-02-06'],
    )
  })
  t.strictSame((await series('UST_PAR_10Y')).slice(0, 3), before)
})

t.test('a closed year can be revised; the year as it was half-way through cannot undo it', async (t) => {
  const { loadText, series, rejects, rows } = await ratesEngine(t)
  await loadText('treasury', `${HEADER}12/29/2023,5.60,4.23,3.88\n12/28/2023,5.57,4.26,3.84\n`)
  await loadText('treasury', `${HEADER}01/03/2024,5.54,4.33,3.91\n01/02/2024,5.55,4.33,3.95\n`)
  const revised = await loadText(
    'treasury',
    `${HEADER}12/29/2023,5.60,4.23,3.88\n12/28/2023,5.57,4.26,3.85\n`,
  )
  t.match(revised.notes, [/6 observations: 0 new, 1 revised, 0 withdrawn/])
  t.strictSame(await series('UST_PAR_10Y'), [
    ['2023-12-28', 3.85],
    ['2023-12-29', 3.88],
    ['2024-01-02', 3.95],
    ['2024-01-03', 3.91],
  ])
  await loadText('treasury', `${HEADER}12/28/2023,5.57,4.26,3.84\n`)
  t.match(await rejects(), [
    { line: 2, reason: /an older file.*UST_PAR_10Y of 2023-12-28 stays 3\.85, not 3\.84/ },
  ])
  t.match(
    await rows(
      "SELECT count() AS n, max(revision) AS revisions FROM observations WHERE date = '2023-12-28' AND series = 'UST_PAR_10Y'",
    ),
    [{ n: 2, revisions: 2 }],
  )
})
