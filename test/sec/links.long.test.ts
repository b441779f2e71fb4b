// Registrants and banks that are known to belong together: found by the names of holders, of today and of before.
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { zipOf } from '../loaders/helpers.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { submissions } from './submissions.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

/** Fields of a line, of which some are quoted. */
const fields = (line: string) =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, one]) => one!.replace(/^"|"$/g, ''))
const lines = (path: string) =>
  readFileSync(join(data, path), 'utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map(fields)

/** States of their business addresses. */
const states: Readonly<Record<string, string>> = {
  ...{
    PNC: 'PA',
    USB: 'MN',
    TFC: 'NC',
    FITB: 'OH',
    CFG: 'RI',
    MTB: 'NY',
    HBAN: 'OH',
    RF: 'AL',
    KEY: 'OH',
    FCNCA: 'NC',
  },
  ...{
    EWBC: 'CA',
    PNFP: 'TN',
    WBS: 'CT',
    FHN: 'TN',
    WTFC: 'IL',
    SSB: 'FL',
    BPOP: 'PR',
    ZION: 'UT',
    CFR: 'TX',
  },
  ...{ UMBF: 'MO', WAL: 'AZ', PB: 'TX', CBSH: 'MO', VLY: 'NY', FNB: 'PA', GBCI: 'MT', UBSI: 'WV', OZK: 'AR' },
  ...{ HOMB: 'AR', FFIN: 'TX', BOKF: 'OK' },
}

/** Of those that are banks themselves: their place is theirs. */
const cities: Readonly<Record<number, string>> = { 109380: 'SALT LAKE CITY', 1569650: 'LITTLE ROCK' }

/** Of registrants that were called otherwise in 2018, as their submissions tell. */
const former: Readonly<Record<string, string>> = {
  '92230': 'BB&T CORP',
  '36966': 'FIRST HORIZON NATIONAL CORP',
  '109380': 'ZIONS BANCORPORATION',
  '1569650': 'BANK OF THE OZARKS INC',
  '764038': 'SOUTH STATE Corp',
  '2082866': 'PINNACLE FINANCIAL PARTNERS INC',
}

t.test(
  'of 31 banks and their registrants 30 or more are found, and none is wrong',
  { skip, timeout: 600_000 },
  async (t) => {
    const { load, sql } = await ratesApp(t)
    const pairs = lines('links/rssd-cik-31-regional-banks.csv').map((row) => ({
      rssd_id: Number(row[5]),
      cik: Number(row[6]),
      // the list leaves out what parts the state from the name
      name: row[2]!.replace(/ DE$/, ' \\DE\\'),
      state: states[row[0]!]!,
    }))
    const listed = lines('sec/bank-registrants.csv').map((row) => ({ cik: Number(row[0]), name: row[1]! }))
    const all = new Map(
      [...listed.map((one) => ({ ...one, state: '' })), ...pairs].map((one) => [one.cik, one]),
    )
    t.equal(pairs.length, 31)
    await load('fdic-institutions', [join(data, 'fdic-sdi/20180930/bank_data.csv')])
    const path = join(await temporaryFolder(t), 'submissions.zip')
    const document = ({ cik, name, state }: { cik: number; name: string; state: string }) =>
      submissions({
        ...{
          cik: String(cik).padStart(10, '0'),
          name,
          tickers: [],
          exchanges: [],
          addresses: { business: { stateOrCountry: state, city: cities[cik] ?? '' } },
        },
        formerNames: former[cik] ? [{ name: former[cik], from: '1996-01-01', to: '2019-01-01' }] : [],
      })
    await writeFile(
      path,
      zipOf(
        [...all.values()].map((one) => [
          `CIK${String(one.cik).padStart(10, '0')}.json`,
          Buffer.from(document(one)),
        ]),
      ),
    )
    await load('sec-submissions', [path])
    const found = await sql<{ rssd_id: number; cik: number }>('SELECT rssd_id, cik FROM bank_registrants')
    const of = new Map(found.map(({ rssd_id, cik }) => [rssd_id, cik]))
    const wrong = pairs.filter(({ rssd_id, cik }) => of.has(rssd_id) && of.get(rssd_id) !== cik)
    const missing = pairs.filter(({ rssd_id }) => !of.has(rssd_id))
    t.strictSame(wrong, [])
    // its bank of today was another's in 2018
    t.strictSame(
      missing.map(({ name }) => name),
      ['SouthState Bank Corp'],
    )
  },
)
