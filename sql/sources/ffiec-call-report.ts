import { code, moment, orBlank, orNull, ref, type SourceColumn, upper, whole, words } from './columns.ts'
import { tsv } from './declare.ts'
import { itemSource } from './items.ts'

const inPor = (column: SourceColumn): SourceColumn => ({ ...column, mayLack: false })
const text = (heading: string) => inPor(orBlank(words(heading)))
const number = (column: SourceColumn) => inPor(orNull({ ...column, absent: ['0'] }))

// Item numbers (the last four characters of an MDRM code) whose digits are no quantity.
const TEXT_ITEMS = new Set([
  '6724', // level of external auditing work: 1, 1b, 2, …
  '8678', // fiscal year-end, MMDD
  '9106', // date of a change in control or of push-down accounting, YYYYMMDD
  '9224', // legal entity identifier
  '9999', // report date, YYYYMMDD
])

const RATIO_ITEMS = new Set([
  '7204', // tier 1 leverage ratio
  '7205', // total capital ratio
  '7206', // tier 1 capital ratio
  '7273', // tier 1 leverage ratio of banks with financial subsidiaries
  '7274', // tier 1 capital ratio of banks with financial subsidiaries
  '7275', // total capital ratio of banks with financial subsidiaries
  'P793', // common equity tier 1 capital ratio
  'H036', // supplementary leverage ratio
  'H311', // institution-specific capital conservation buffer
  'H312', // the same, required
])

// RSSD: identity in schedule ENT (name, certificate, city, zip). TEXT, TE01 … TE10: words, whatever they look like.
const TEXT_PREFIX = /^(TEXT|TE\d\d|RSSD)/

export default itemSource({
  key: 'ffiec-call-report',
  name: 'FFIEC Call Reports',
  publisher: 'Federal Financial Institutions Examination Council, Central Data Repository',
  licence: 'Public domain (work of the United States government)',
  address: 'https://cdr.ffiec.gov/public/PWS/DownloadBulkData.aspx',
  what: 'Every item of every schedule that every bank files each quarter (forms FFIEC 031, 041, 051).',
  howToGet: `Download "Call Reports – Single Period" (tab delimited), a zip a quarter, from
https://cdr.ffiec.gov/public/PWS/DownloadBulkData.aspx (a form, which no script can fetch simply),
then: npm run load -- ffiec-call-report FOLDER`,
  entity: 'institution',
  id: { heading: 'IDRSSD', column: 'rssd_id', called: 'RSSD ID' },
  // schedule ENT gives it for each filer
  date: /^RC[A-Z]{2}9999$/,
  // nothing but CR LF ends a line: narratives hold bare line feeds
  form: tsv({ endsLines: true, onlyCrlf: true }),
  archive: /\b(?<date>\d{8})\.zip$/i,
  // the CDR puts a Readme.txt into each download
  others: /^read ?me\b/i,
  called: {
    edition: 'a Call Report quarter',
    expected:
      'expected the FFIEC CDR\'s "Call Bulk All Schedules MMDDYYYY.zip", or its files such as "FFIEC CDR Call Schedule RC MMDDYYYY.txt"',
  },
  filers: {
    table: 'filers',
    doc: 'A bank that filed for the quarter, as the panel of reporters (POR) has it.',
    member:
      /^FFIEC CDR Call Bulk (?<part>POR) (?<date>\d{8})(?: ?\((?<index>\d{1,2}) of (?<of>\d{1,2})\))?\.txt$/i,
    called: 'the POR',
    file: 'the POR file ("FFIEC CDR Call Bulk POR …"), which says who filed,',
    columns: {
      cert: number(ref('certificate', 'FDIC Certificate Number', { label: 'FDIC certificate' })),
      occ_charter: number(whole('OCC Charter Number')),
      ots_docket: number(whole('OTS Docket Number')),
      aba_routing: number(whole('Primary ABA Routing Number')),
      legal_name: text('Financial Institution Name'),
      address: text('Financial Institution Address'),
      city: text('Financial Institution City'),
      state: inPor(orBlank(upper(code('Financial Institution State')))),
      zip: text('Financial Institution Zip Code'),
      form: inPor(
        code('Financial Institution Filing Type', {
          take: (form) => `leftPad(${form}, 3, '0')`,
          doc: '031, 041 or 051.',
        }),
      ),
      submitted_at: inPor(orNull(moment('Last Date/Time Submission Updated On'))),
    },
    submitted: 'submitted_at',
  },
  items: {
    table: 'call_report_items',
    doc: 'An item that a bank filled in. Amounts in thousands of US dollars, ratios in percent.',
    member:
      /^FFIEC CDR Call Schedule (?<part>[A-Z][A-Z0-9]{0,11}) (?<date>\d{8})(?: ?\((?<index>\d{1,2}) of (?<of>\d{1,2})\))?\.txt$/i,
    called: 'schedule',
    code: 'mdrm',
    part: 'schedule',
    heading: /^[A-Z][A-Z0-9]{7}$/,
    expected: 'an MDRM code such as RCON2170',
    // The files of before 2015 hold ratios as a fraction (0.1999), later ones as 19.8288%: a series has one unit.
    kinds: { number: 1, text: null, ratio: 100 },
    kind(mdrm) {
      const item = mdrm.slice(4)
      if (TEXT_PREFIX.test(mdrm) || TEXT_ITEMS.has(item)) return 'text'
      return RATIO_ITEMS.has(item) ? 'ratio' : 'number'
    },
    // of the bulk files since 2001
    known:
      `CI ENT GCI GI GL LEO NARR RC RCA RCB RCCI RCCII RCD RCE RCEI RCEII RCF RCG RCH RCI RCJ RCK RCL RCM RCN RCO
      RCP RCQ RCR RCRI RCRIA RCRIB RCRII RCS RCT RCV RI RIA RIB RIBI RIBII RIC RICI RICII RID RIE SU`.split(
        /\s+/,
      ),
  },
  descriptions: {
    table: 'item_descriptions',
    doc: 'The heading of an item in its schedule, from the second line of the files.',
  },
})
