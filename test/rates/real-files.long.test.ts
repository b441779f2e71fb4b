// Treasury's, FRED's and Freddie Mac's real files, where they are at hand: counts, values, and one against the other.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { ratesApp } from './rates-app.ts'

const DATA = new URL('../../../shared/data/', import.meta.url).pathname
const folders = ['treasury', 'fred', 'pmms'].map((name) => join(DATA, name))
const skip = folders.every((folder) => existsSync(folder)) ? false : `no real files at ${DATA}`

/** Every CSV below a folder, as rows of text, read by another parser than the loader's. */
const tables = (folder: string): { name: string; rows: string[][] }[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => path.endsWith('.csv'))
    .map((path) => ({
      name: basename(path, '.csv'),
      rows: parse(readFileSync(join(folder, path), 'utf8'), {
        relax_column_count: true,
        trim: true,
      }) as string[][],
    }))

/** Days of a column that has a value, over all files that have the column. */
function days(of: { rows: string[][] }[], column: (header: string[]) => number): number {
  const seen = new Set<string>()
  for (const { rows } of of) {
    const index = column(rows[0]!)
    if (index < 0) continue
    for (const row of rows.slice(1))
      if (row[index] && row[index] !== '.') seen.add(new Date(`${row[0]} UTC`).toISOString())
  }
  return seen.size
}

t.test('real files', { skip }, async (t) => {
  const { load, sql, data, get } = await ratesApp(t)
  for (const [index, source] of ['treasury', 'fred', 'pmms'].entries()) {
    const { editions } = await load(source, [folders[index]!])
    t.strictSame([...new Set(editions.map(({ status }) => status))], ['published'], source)
    t.equal(
      editions.reduce((sum, edition) => sum + edition.rowsRejected, 0),
      0,
      `${source}: no line is rejected`,
    )
  }
  const held = new Map(
    (
      await sql<{ series: string; n: number }>(
        'SELECT series, count() AS n FROM observations WHERE toYear(replaced_at) = 2200 AND value IS NOT NULL GROUP BY series',
      )
    ).map(({ series, n }) => [series, n]),
  )

  await t.test('the counts of observations are those of the files', async (t) => {
    const expected = new Map<string, number>()
    const treasury = tables(folders[0]!)
    for (const tenor of [
      '1 Mo',
      '2 Mo',
      '3 Mo',
      '4 Mo',
      '6 Mo',
      '1 Yr',
      '2 Yr',
      '3 Yr',
      '5 Yr',
      '7 Yr',
      '10 Yr',
      '20 Yr',
      '30 Yr',
    ])
      expected.set(
        `UST_PAR_${tenor.replace(/ (.).*/, '$1')}`,
        days(treasury, (header) => header.indexOf(tenor)),
      )
    const fred = tables(folders[1]!)
    for (const name of new Set(fred.map((table) => table.name)))
      expected.set(
        name,
        days(
          fred.filter((table) => table.name === name),
          () => 1,
        ),
      )
    const [survey] = tables(folders[2]!)
    for (const [index, name] of [
      '30Y',
      '30Y_POINTS',
      '15Y',
      '15Y_POINTS',
      '5_1_ARM',
      '5_1_ARM_POINTS',
      '5_1_ARM_MARGIN',
      '5_1_ARM_SPREAD',
    ].entries())
      expected.set(
        `PMMS_${name}`,
        days([survey!], () => index + 1),
      )
    t.strictSame(Object.fromEntries([...held].sort()), Object.fromEntries([...expected].sort()))
    t.comment(`${held.size} series, ${[...held.values()].reduce((a, b) => a + b, 0)} observations`)
  })

  await t.test('a value of each kind, read in its file by hand', async (t) => {
    const byHand: [string, string, number][] = [
      ['UST_PAR_30Y', '1990-01-02', 8],
      ['UST_PAR_10Y', '2000-05-08', 6.57],
      ['UST_PAR_3M', '2008-09-15', 1.02],
      ['UST_PAR_10Y', '2020-03-09', 0.54],
      ['UST_PAR_2M', '2022-02-01', 0.1],
      ['UST_PAR_4M', '2022-10-21', 4.31],
      ['DFF', '1954-07-01', 1.13],
      ['DGS10', '1962-01-02', 4.06],
      ['DGS10', '2026-07-30', 4.68],
      ['DGS3MO', '1981-09-01', 17.01],
      ['DFII10', '2003-01-02', 2.43],
      ['SOFR', '2018-04-03', 1.83],
      ['BAA10Y', '2008-09-15', 3.66],
      ['RRPONTSYD', '2003-02-07', 2.5],
      ['T10Y2Y', '2026-07-31', 0.47],
      ['T5YIE', '2008-09-15', 1.23],
      ['MORTGAGE15US', '1991-08-30', 8.77],
      ['PMMS_30Y', '1981-10-09', 18.63],
      ['PMMS_30Y_POINTS', '1981-10-09', 2.2],
      ['PMMS_15Y', '2024-05-16', 6.28],
    ]
    for (const [series, date, value] of byHand) {
      const rows = await sql(`SELECT value FROM observations WHERE series = '${series}' AND date = '${date}'`)
      t.strictSame(rows, [{ value }], `${series} of ${date}`)
    }
    t.strictSame(
      await sql(`SELECT value FROM observations WHERE series = 'UST_PAR_30Y' AND date = '2004-01-05'`),
      [],
      'not published then',
    )
  })

  await t.test('Treasury’s par yields equal the Federal Reserve’s constant maturities', async (t) => {
    const pairs = {
      '1M': 'DGS1MO',
      '3M': 'DGS3MO',
      '6M': 'DGS6MO',
      '1Y': 'DGS1',
      '2Y': 'DGS2',
      '5Y': 'DGS5',
      '7Y': 'DGS7',
      '10Y': 'DGS10',
      '20Y': 'DGS20',
      '30Y': 'DGS30',
    }
    let [both, equal] = [0, 0]
    for (const [tenor, id] of Object.entries(pairs)) {
      const [row] = await sql<{ n: number; equal: number; other: unknown[] }>(
        `SELECT count() AS n, countIf(a.value = b.value) AS equal, groupArrayIf((toString(a.date), a.value, b.value), a.value != b.value) AS other
         FROM (SELECT date, value FROM observations WHERE series = 'UST_PAR_${tenor}') AS a
         INNER JOIN (SELECT date, value FROM observations WHERE series = '${id}') AS b ON a.date = b.date`,
      )
      t.ok(row!.n > 5000, `${tenor}: ${row!.n} days`)
      t.strictSame(row!.other, [], `${tenor}: days that differ`)
      both += row!.n
      equal += row!.equal
    }
    t.comment(`${equal} of ${both} yields that both publish are equal`)
  })

  await t.test(
    'FRED’s spreads are those of the yields, but for days that FRED keeps as it first had them',
    async (t) => {
      // On each of these days Treasury's own yields equal H.15's, and FRED's two downloads of the spread
      // agree with each other: the yields were corrected after FRED had worked out the spread.
      const corrected: Record<string, [string, number, number][]> = {
        T10Y2Y: [
          ['1990-11-21', 0.74, 0.72],
          ['1991-01-29', 0.95, 0.93],
          ['1995-11-29', 0.42, 0.43],
        ],
        T10Y3M: [
          ['1991-01-29', 1.64, 1.62],
          ['1999-10-01', 1.02, 1.12],
        ],
      }
      for (const [spread, short] of [
        ['T10Y2Y', 'DGS2'],
        ['T10Y3M', 'DGS3MO'],
      ] as const) {
        const [row] = await sql<{ n: number; other: unknown[] }>(
          `SELECT count() AS n, groupArrayIf((toString(s.date), s.value, round(a.value - b.value, 2)), abs(s.value - (a.value - b.value)) > 0.001) AS other
         FROM (SELECT date, value FROM observations WHERE series = '${spread}' ORDER BY date) AS s
         INNER JOIN (SELECT date, value FROM observations WHERE series = 'DGS10') AS a ON s.date = a.date
         INNER JOIN (SELECT date, value FROM observations WHERE series = '${short}') AS b ON s.date = b.date`,
        )
        t.ok(row!.n > 11_000, `${spread}: ${row!.n} days`)
        t.strictSame(row!.other.sort(), corrected[spread])
      }
    },
  )

  await t.test('FRED’s copy of the survey equals Freddie Mac’s own', async (t) => {
    for (const [own, copy] of [
      ['PMMS_30Y', 'MORTGAGE30US'],
      ['PMMS_15Y', 'MORTGAGE15US'],
    ]) {
      const [row] = await sql<{ n: number; other: number }>(
        `SELECT count() AS n, countIf(a.value != b.value) AS other FROM (SELECT date, value FROM observations WHERE series = '${own}') AS a
         INNER JOIN (SELECT date, value FROM observations WHERE series = '${copy}') AS b ON a.date = b.date`,
      )
      t.ok(row!.n > 1500)
      t.equal(row!.other, 0)
    }
  })

  await t.test('the current curve', async (t) => {
    const curve = await data('/rates/yield-curve/?latest=1')
    t.ok(curve.length >= 9)
    t.strictSame([...new Set(curve.map((row: { date: string }) => row.date))], ['2026-07-22'])
    t.match(
      curve.find((row: { tenor: string }) => row.tenor === '10Y'),
      { yield: 4.67, months: 120, source: 'fred' },
    )
  })

  await t.test('thirty years of curves as Arrow in one request', async (t) => {
    const started = performance.now()
    const { status, bytes } = await get('/rates/yield-curve/?from=1996-07-23&to=2026-07-22&format=arrow')
    const took = performance.now() - started
    t.equal(status, 200)
    const table = tableFromIPC(bytes)
    const [expected] = await sql<{ n: number }>(
      `SELECT count() AS n FROM observations WHERE value IS NOT NULL AND date BETWEEN '1996-07-23' AND '2026-07-22'
        AND (startsWith(series, 'UST_PAR') OR (startsWith(series, 'DGS') AND date NOT IN (SELECT date FROM observations WHERE startsWith(series, 'UST_PAR'))))`,
    )
    t.equal(table.numRows, expected!.n)
    t.match(
      table.schema.fields.map(({ name, type }) => `${name} ${type}`),
      [
        /^date Date/,
        // more rows than one batch holds: plain strings, as not every reader takes a dictionary that grows
        /^tenor Utf8/,
        /^months Float64/,
        /^yield Float64/,
        /^source Utf8/,
        /^learnt_at Timestamp/,
      ],
    )
    t.comment(`${table.numRows} rows, ${bytes.length} bytes, ${took.toFixed(0)} ms`)
  })

  await t.test('the same folder again changes nothing', async (t) => {
    const { dataVersion, editions } = await load('pmms', [folders[2]!])
    t.equal(dataVersion, null)
    t.equal(editions[0]!.status, 'already-there')
  })
})
