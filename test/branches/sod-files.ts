// The Summary of Deposits as the FDIC publishes it, and as its API answers, of what a test says.

export type Row = Readonly<Record<string, string | number | null | undefined>>

const headings =
  'YEAR CERT BRNUM UNINUMBR NAMEFULL ADDRESBR CITYBR CNTYNAMB STALPBR ZIPBR BRCENM CONSOLD BRSERTYP DEPSUMBR BKMO CBSA_DIV_NAMB CITY2BR CNTRYNAB CNTYNUMB CSABR CSANAMBR DIVISIONB MSABR MSANAMB METROBR MICROBR NAMEBR NECTABR NECNAMB PLACENUM SIMS_ACQUIRED_DATE SIMS_ESTABLISHED_DATE SIMS_LATITUDE SIMS_LONGITUDE SIMS_DESCRIPTION SIMS_PROJECTION STCNTYBR STNAMEBR STNUMBR HCTMULT RSSDHCR NAMEHCR CITYHCR STALPHCR RSSDID UNIT ADDRESS CITY STALP ZIP ASSET BKCLASS'.split(
    ' ',
  )
const usual: Row = {
  ...{ YEAR: 2021, CERT: 77, RSSDID: 7700, NAMEFULL: 'Example Bank', BRSERTYP: 11, BKMO: 0, DEPSUMBR: 1000 },
  ...{
    CITYBR: 'Springfield',
    STALPBR: 'MA',
    ZIPBR: '01103',
    CNTYNAMB: 'Hampden',
    STCNTYBR: '25013',
    MSABR: 44140,
  },
  ...{ MSANAMB: 'Springfield, MA', METROBR: 1, MICROBR: 0, BKCLASS: 'NM', RSSDHCR: 0, CONSOLD: null },
  ...{
    SIMS_ESTABLISHED_DATE: '01/01/1889',
    SIMS_ACQUIRED_DATE: null,
    SIMS_LATITUDE: 42.1015,
    SIMS_LONGITUDE: -72.5898,
  },
}
const whole = (row: Row): Row => ({
  ...usual,
  UNINUMBR: 5000 + Number(row.BRNUM),
  BKMO: row.BRNUM === 0 ? 1 : 0,
  ...row,
})

/** ALL_YYYY.csv: everything quoted, amounts with commas, CR LF. */
export const sodFile = (rows: readonly Row[]): string =>
  [
    headings.join(','),
    ...rows.map(whole).map((row) => headings.map((name) => cell(name, row[name])).join(',')),
  ]
    .map((line) => `${line}\r\n`)
    .join('')

const cell = (name: string, value: Row[string] | undefined): string =>
  `"${name === 'DEPSUMBR' || name === 'ASSET' ? Number(value ?? 0).toLocaleString('en-US') : (value ?? '')}"`

/** An answer of /banks/sod. */
export const sodAnswer = (rows: readonly Row[]): string =>
  JSON.stringify({
    meta: { total: rows.length },
    data: rows.map(whole).map((row) => ({ data: { ID: `${row.YEAR}_${row.UNINUMBR}`, ...row }, score: 1 })),
    totals: { count: rows.length },
  })
