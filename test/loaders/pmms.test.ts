// Freddie Mac's survey: nine columns to 2022-11-10, then quoted rows of four.
import t from 'tap'
import { ratesEngine } from '../rates/loading.ts'

const HEADER = 'date,pmms30,pmms30p,pmms15,pmms15p,pmms51,pmms51p,pmms51m,pmms51spread\r\n'

t.test('both kinds of row', async (t) => {
  const { loadText, series, rejects } = await ratesEngine(t)
  const text = `${HEADER}4/2/1971,7.33, ,,,,,,\r\n11/10/2022,7.08,0.9,6.38,1,6.06,0.2,2.75,1.02\r\n"11/17/2022","6.61","","5.98"\r\n`
  const outcome = await loadText('pmms', text, 'PMMS_history.csv')
  t.match(outcome, { status: 'published', rowsRead: 3, rowsKept: 3, notes: [/11 observations: 11 new/] })
  t.strictSame(await rejects(), [])
  t.strictSame(await series('PMMS_30Y'), [
    ['1971-04-02', 7.33],
    ['2022-11-10', 7.08],
    ['2022-11-17', 6.61],
  ])
  t.strictSame(await series('PMMS_15Y'), [
    ['2022-11-10', 6.38],
    ['2022-11-17', 5.98],
  ])
  t.strictSame(await series('PMMS_30Y_POINTS'), [['2022-11-10', 0.9]])
  t.strictSame(await series('PMMS_5_1_ARM_MARGIN'), [['2022-11-10', 2.75]])
})

t.test('what is wrong is listed', async (t) => {
  const { loadText, series, rejects } = await ratesEngine(t)
  const good = '1/4/2024,6.62,,5.89\r\n1/11/2024,6.66,,5.87\r\n1/18/2024,6.60,,5.76\r\n'
  await loadText('pmms', `${HEADER}${good}1/25/2024,6.69\r\n"2/1/2024","6.6`)
  t.match(await rejects(), [
    { line: 5, reason: /2 fields where 9 or 4 are expected/ },
    { line: 6, reason: /ends within a quoted field: it was cut short/ },
  ])
  t.equal((await series('PMMS_30Y')).length, 3)
  await loadText('pmms', `${HEADER.replace('pmms51spread', 'pmms20')}${good}1/25/2024,6.69,,5.96,,,,,6.4\r\n`)
  t.match(await rejects(), [{ line: 1, reason: /the column “pmms20” is new/ }])
  t.match(await loadText('pmms', '<html><body>Please sign in</body></html>'), {
    status: 'failed',
    reason: /web page/,
  })
  t.equal((await series('PMMS_30Y')).length, 4)
})
