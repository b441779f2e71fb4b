// FRED's three dialects, point in time, and which file is the older one.
import t from 'tap'
import { fetchedSeries, fredSeries, restrictedSeries } from '../../sql/sources/fred-series.ts'
import { ratesEngine } from '../rates/loading.ts'
import { zipOf } from './helpers.ts'

t.test('three dialects of header; what is missing is absent', async (t) => {
  const { loadText, loadTexts, series, rejects } = await ratesEngine(t)
  await t.test('observation_date, blank', async (t) => {
    await loadText('fred', 'observation_date,RRPONTSYD\n2003-02-07,2.5\n2003-02-10,\n2003-02-11,0\n')
    t.strictSame(await series('RRPONTSYD'), [
      ['2003-02-07', 2.5],
      ['2003-02-11', 0],
    ])
  })
  await t.test('DATE, point; before 1970', async (t) => {
    await loadText('fred', 'DATE,DGS10\n1962-01-02,4.06\n1962-01-03,.\n1962-01-04,3.99\n')
    t.strictSame(await series('DGS10'), [
      ['1962-01-02', 4.06],
      ['1962-01-04', 3.99],
    ])
  })
  await t.test('date,value: the file’s name is the series', async (t) => {
    await loadText('fred', 'date,value\n1954-07-01,1.13\n1954-07-02,1.250\n1954-07-03,NA\n', 'DFF.csv')
    t.strictSame(await series('DFF'), [
      ['1954-07-01', 1.13],
      ['1954-07-02', 1.25],
    ])
    t.match(await loadText('fred', 'date,value\n1954-07-01,1.13\n', 'my rates.csv'), {
      status: 'failed',
      reason: /name the file after it, as in DGS10\.csv/,
    })
  })
  await t.test('several series in a file; one that no catalog has', async (t) => {
    const outcome = await loadText('fred', 'observation_date,DGS2,XYZ\n2024-01-02,4.33,1\n2024-01-03,,2\n')
    t.match(outcome.notes, [/XYZ is not in the catalog of series: it is kept/])
    t.strictSame(await series('DGS2'), [['2024-01-02', 4.33]])
    t.strictSame(await series('XYZ'), [
      ['2024-01-02', 1],
      ['2024-01-03', 2],
    ])
  })
  await t.test('a last line without its end may be cut: 4.2 or 4.26', async (t) => {
    await loadText('fred', 'DATE,DGS5\n2024-01-02,3.93\n2024-01-03,3.9\n2024-01-04,3.9')
    t.match(await rejects(), [{ line: 4, reason: /cut short/ }])
    t.strictSame((await series('DGS5')).length, 2)
  })
  await t.test('a series in two columns is refused: which of them is it?', async (t) => {
    t.match(await loadText('fred', 'DATE,DGS3,dgs3\n2024-01-02,3.93,3.94\n'), {
      status: 'failed',
      reason: /two columns are of the series DGS3/,
    })
    t.strictSame(await series('DGS3'), [])
  })
  await t.test('files in a zip, with lines above the header', async (t) => {
    const zip = zipOf([
      ['DGS3.csv', Buffer.from('date,value\n2024-01-02,4.09\n')],
      ['DTB3.csv', Buffer.from('Federal Reserve Economic Data\n\nobservation_date,DTB3\n2024-01-02,5.22\n')],
    ])
    t.match(await loadText('fred', zip, 'series.zip'), { status: 'published', rowsRead: 2, rowsRejected: 0 })
    t.strictSame(await series('DGS3'), [['2024-01-02', 4.09]])
    t.strictSame(await series('DTB3'), [['2024-01-02', 5.22]])
  })
  await t.test('files of other kinds are left alone', async (t) => {
    const { editions, ignored } = await loadTexts('fred', {
      'DGS7.csv': 'DATE,DGS7\n2024-01-02,3.95\n',
      'notes.txt': 'x',
      'a.csv': 'a,b\n1,2\n',
    })
    t.equal(editions.length, 1)
    t.equal(ignored.length, 2)
  })
})

t.test(
  'a value that changes is revised, the older kept with its time; the same file changes nothing',
  async (t) => {
    const { loadText, series, rows } = await ratesEngine(t)
    const first = 'DATE,UNRATE\n2020-03-01,4.4\n2020-04-01,14.7\n'
    const second = 'DATE,UNRATE\n2020-03-01,4.4\n2020-04-01,14.8\n2020-05-01,13.2\n'
    await loadText('fred', first)
    t.equal((await loadText('fred', first)).status, 'already-there')
    t.match((await loadText('fred', second)).notes, [/3 observations: 1 new, 1 revised, 0 withdrawn/])
    const history =
      await rows(`SELECT toString(date) AS date, value, revision, learnt_at < replaced_at AS lived,
      toYear(replaced_at) = 2200 AS in_force, watched_since = (SELECT min(learnt_at) FROM observations) AS watched
    FROM observations ORDER BY date, revision`)
    t.strictSame(history, [
      { date: '2020-03-01', value: 4.4, revision: 1, lived: 1, in_force: 1, watched: 1 },
      { date: '2020-04-01', value: 14.7, revision: 1, lived: 1, in_force: 0, watched: 1 },
      { date: '2020-04-01', value: 14.8, revision: 2, lived: 1, in_force: 1, watched: 1 },
      { date: '2020-05-01', value: 13.2, revision: 1, lived: 1, in_force: 1, watched: 1 },
    ])
    const [gap] = await rows<{ n: number }>(`SELECT uniqExact(t) AS n FROM
    (SELECT replaced_at AS t FROM observations WHERE revision = 1 AND date = '2020-04-01'
     UNION ALL SELECT learnt_at FROM observations WHERE revision = 2)`)
    t.equal(Number(gap!.n), 1, 'one ends in the moment that the other begins')

    await t.test('a value that the publisher takes back is withdrawn', async (t) => {
      const third = 'DATE,UNRATE\n2020-03-01,4.4\n2020-04-01,.\n2020-05-01,13.2\n2020-06-01,11.0\n'
      t.match((await loadText('fred', third)).notes, [/1 new, 0 revised, 1 withdrawn/])
      t.strictSame((await series('UNRATE'))[1], ['2020-04-01', null])
    })
    await t.test('an older file is told by where it ends: it changes nothing unless forced', async (t) => {
      const older = 'DATE,UNRATE\n2020-02-01,3.5\n2020-03-01,4.3\n2020-04-01,14.7\n'
      const outcome = await loadText('fred', older)
      t.equal(outcome.rowsRejected, 2)
      t.match(outcome.notes, [/1 new, 0 revised/])
      t.strictSame(await series('UNRATE'), [
        ['2020-02-01', 3.5],
        ['2020-03-01', 4.4],
        ['2020-04-01', null],
        ['2020-05-01', 13.2],
        ['2020-06-01', 11],
      ])
      await loadText('fred', older, 'file.csv', true)
      t.strictSame((await series('UNRATE')).slice(1, 3), [
        ['2020-03-01', 4.3],
        ['2020-04-01', 14.7],
      ])
    })
  },
)

t.test('of files given together the older is loaded first', async (t) => {
  const { loadTexts, rows } = await ratesEngine(t)
  await loadTexts('fred', {
    'a.csv': 'observation_date,DGS1\n2024-01-02,4.80\n2024-01-03,4.81\n2024-01-04,4.85\n',
    'b.csv': 'DATE,DGS1\n2024-01-02,4.80\n2024-01-03,4.79\n',
  })
  t.strictSame(await rows(`SELECT value FROM observations WHERE date = '2024-01-03' ORDER BY revision`), [
    { value: 4.79 },
    { value: 4.81 },
  ])
})

t.test('the catalog names each series once, and says who lets it be handed on', async (t) => {
  t.equal(new Set(fredSeries.map(({ id }) => id)).size, fredSeries.length)
  t.equal(fetchedSeries.length + restrictedSeries.length, fredSeries.length)
  for (const id of ['VIXCLS', 'BAMLH0A0HYM2', 'BAA10Y', 'MORTGAGE30US'])
    t.ok(
      restrictedSeries.some((series) => series.id === id),
      id,
    )
})
