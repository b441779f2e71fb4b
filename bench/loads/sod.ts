/** A year of the Summary of Deposits as the FDIC publishes it (ALL_YYYY.csv), of made-up banks with branches as many as real ones have. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const headings =
  'YEAR CERT BRNUM UNINUMBR NAMEFULL ADDRESBR CITYBR CNTYNAMB STALPBR ZIPBR BRCENM CONSOLD BRSERTYP DEPSUMBR BKMO CBSA_DIV_NAMB CITY2BR CNTRYNAB CNTYNUMB CSABR CSANAMBR DIVISIONB MSABR MSANAMB METROBR MICROBR NAMEBR NECTABR NECNAMB PLACENUM SIMS_ACQUIRED_DATE SIMS_ESTABLISHED_DATE SIMS_LATITUDE SIMS_LONGITUDE SIMS_DESCRIPTION SIMS_PROJECTION STCNTYBR STNAMEBR STNUMBR HCTMULT RSSDHCR NAMEHCR CITYHCR STALPHCR RSSDID UNIT ADDRESS CITY STALP ZIP ASSET BKCLASS CALL CHARTER CHRTAGNN CHRTAGNT CLCODE CNTRYNA DENOVO DEPDOM DEPSUM DOCKET ESCROW FDICDBS FDICNAME FED FEDNAME INSAGNT1 INSURED INSBRDD INSBRTS OCCDIST OCCNAME REGAGNT SPECGRP SPECDESC STCNTY STNAME USA'.split(
    ' ',
  )

const DEPOSITS = headings.indexOf('DEPSUMBR')
const BLOCK = 1000

export const BANKS = 5500
export const BRANCHES = 77_000
/** The largest bank has as many, and the others fewer by their place. */
const MOST = 5000

const states = ['AL', 'CA', 'GA', 'IL', 'MA', 'NY', 'OH', 'PA', 'TX', 'WI']
const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** RSSD ID of the bank with the most branches. */
export const largestBank = 1_000_000

/** Branches by bank, of the largest first: a few have thousands, most a handful. */
function sizes(): number[] {
  const found = Array.from({ length: BANKS }, (_, bank) => Math.max(1, Math.floor(MOST / (bank + 1) ** 0.82)))
  let left = BRANCHES - found.reduce((sum, size) => sum + size, 0)
  for (let bank = BANKS - 1; left !== 0; bank = bank > 0 ? bank - 1 : BANKS - 1) {
    const step = left > 0 ? 1 : found[bank]! > 1 ? -1 : 0
    found[bank]! += step
    left -= step
  }
  return found
}

/** A line of any year: what stands between the year and the deposits, and what after these. */
interface Line {
  readonly at: number
  readonly upTo: string
  readonly after: string
}

function line(bank: number, branch: number): Line {
  const at = (bank * 7919 + branch * 104_729) % 1_000_003
  const state = states[at % states.length]!
  const values: Record<string, string | number> = {
    ...{ CERT: 10 + bank, BRNUM: branch, UNINUMBR: bank * 6000 + branch + 1 },
    ...{ NAMEFULL: `Bank Number ${bank}, National Association`, ADDRESBR: `${at % 9999} Main Street` },
    ...{
      CITYBR: `City ${at % 900}`,
      CNTYNAMB: `County ${at % 250}`,
      STALPBR: state,
      ZIPBR: pad(at % 99_999, 5),
    },
    ...{ BRCENM: branch === 0 ? 'M' : at % 3 ? '' : 'E', BRSERTYP: branch % 20 === 19 ? 23 : 11 },
    ...{ BKMO: branch === 0 ? 1 : 0, CNTRYNAB: 'United States', CITY2BR: `City ${at % 900}` },
    ...{ CNTYNUMB: at % 250, CSABR: 148, CSANAMBR: `Area ${at % 170}, ${state}`, DIVISIONB: 0 },
    ...{
      MSABR: 10_000 + (at % 380) * 20,
      MSANAMB: `Metropolis ${at % 380}, ${state}`,
      METROBR: 1,
      MICROBR: 0,
    },
    ...{ NAMEBR: `Branch ${branch} of ${at % 900}`, NECTABR: 0, PLACENUM: 0 },
    SIMS_ESTABLISHED_DATE: `${pad((at % 12) + 1)}/${pad((at % 28) + 1)}/${1850 + (at % 140)}`,
    SIMS_ACQUIRED_DATE: at % 4 ? '' : `${pad((at % 12) + 1)}/${pad((at % 28) + 1)}/${1990 + (at % 20)}`,
    SIMS_LATITUDE: (25 + (at % 24_000) / 1000).toFixed(4),
    SIMS_LONGITUDE: (-120 + (at % 50_000) / 1000).toFixed(4),
    ...{ SIMS_DESCRIPTION: 'POINTADDRESS', SIMS_PROJECTION: 100, STCNTYBR: pad(1000 + (at % 55_000), 5) },
    ...{ STNAMEBR: 'Massachusetts', STNUMBR: 25, HCTMULT: 'ONE', RSSDHCR: bank % 5 ? 3_000_000 + bank : 0 },
    ...{ NAMEHCR: `HOLDER ${bank}, INC.`, CITYHCR: 'BOSTON', STALPHCR: state, RSSDID: largestBank + bank },
    ...{ ADDRESS: `${bank} State Street`, CITY: `City ${bank % 900}`, STALP: state, ZIP: pad(bank, 5) },
    ...{ ASSET: '812,640', BKCLASS: 'NM', CALL: 'CALL', CHARTER: 'STATE', CHRTAGNN: 'State Agency', UNIT: 0 },
    ...{ CHRTAGNT: 'STATE', CLCODE: 21, CNTRYNA: 'United States', DENOVO: 0, DEPDOM: '722,956' },
    ...{ DEPSUM: '722,956', DOCKET: 0, FDICDBS: 5, FDICNAME: 'Atlanta', FED: 6, FEDNAME: 'Atlanta' },
    ...{
      INSAGNT1: 'DIF',
      INSURED: 'CB',
      OCCDIST: 5,
      OCCNAME: 'Southwest District',
      REGAGNT: 'FDIC',
      SPECGRP: 4,
    },
    ...{ SPECDESC: 'COMMERCIAL LENDING', STCNTY: 1081, STNAME: 'Alabama', USA: 1 },
  }
  const text = (some: readonly string[]) => some.map((heading) => `"${values[heading] ?? ''}"`).join()
  return { at, upTo: text(headings.slice(1, DEPOSITS)), after: text(headings.slice(DEPOSITS + 1)) }
}

/** Writes a file for each of the years, and returns their paths. */
export async function writeSurveys(folder: string, years: readonly number[]): Promise<string[]> {
  const lines = sizes().flatMap((size, bank) =>
    Array.from({ length: size }, (_, branch) => line(bank, branch)),
  )
  const paths: string[] = []
  for (const year of years) {
    const path = join(folder, `ALL_${year}.csv`)
    await pipeline(Readable.from(textOf(lines, year), { objectMode: true }), createWriteStream(path))
    paths.push(path)
  }
  return paths
}

function* textOf(lines: readonly Line[], year: number): Generator<string> {
  yield `${headings.join()}\r\n`
  for (let from = 0; from < lines.length; from += BLOCK) {
    let text = ''
    for (const { at, upTo, after } of lines.slice(from, from + BLOCK)) {
      const deposits = (at * 37 + year) % 900_000
      const shown = deposits < 1000 ? deposits : `${Math.floor(deposits / 1000)},${pad(deposits % 1000, 3)}`
      text += `"${year}",${upTo},"${shown}",${after}\r\n`
    }
    yield text
  }
}
