/**
 * Every regular expression of the code that serves and loads takes time linear in its text, or nearly so, says the
 * checker made for it (recheck): one that does not lets a header or a line of a file stop the process.
 */
import { check, type Diagnostics } from 'recheck'
import t from 'tap'
import { regexesOf } from '../helpers/regexes.ts'

/** Far beyond what any takes: a text that is not settled in it counts as a fault. */
const LONGEST_MS = 120_000

const judge = (source: string, flags: string): Promise<Diagnostics> =>
  check(source, flags, { timeout: LONGEST_MS })

t.test('the checker finds what once stopped the process', async (t) => {
  const range = await judge('^\\s*(\\d{0,15})\\s*-\\s*(\\d{0,15})\\s*$', '')
  t.equal(range.status, 'vulnerable')
  t.equal((await judge('^(\\d{0,15})-(\\d{0,15})$', '')).status, 'safe')
})

t.test('no regular expression is vulnerable', { timeout: 900_000 }, async (t) => {
  const found = regexesOf(['server', 'loaders', 'sql', 'workers'])
  t.ok(found.length > 150, `${found.length} are found`)
  t.strictSame(
    found.filter(({ source }) => source === undefined).map(({ place, text }) => `${place} ${text}`),
    [],
    'each is known without running the code: a literal, or made of constants',
  )
  const faults: string[] = []
  const unique = new Map(found.map((one) => [`/${one.source}/${one.flags}`, one]))
  for (const [text, { source = '', flags, place }] of unique) {
    const judged = await judge(source, flags)
    if (judged.status === 'safe') continue
    faults.push(
      `${place} ${text}: ${judged.status === 'vulnerable' ? judged.complexity.summary : 'not settled'}`,
    )
  }
  t.strictSame(faults, [])
})
