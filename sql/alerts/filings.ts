/** Alerts of what the SEC is filed with: reports of events, statements taken back, late reports, trades of insiders. */
import { linkedRelation } from '../entities/links.ts'
import { EVENT_FEED } from '../filings/index.ts'
import { INSIDER_FEED } from '../insiders/index.ts'
import { quotedAll, quotedList } from '../quoted.ts'
import { BANK_REGISTRANTS } from '../registrants/index.ts'
import { FILING_FEED } from '../sources/sec-filings.ts'
import { eventItems } from '../sources/sec-items.ts'
import { REGISTRANTS } from '../sources/sec-registrants.ts'
import { trades } from './thresholds.ts'
import { type AlertKind, recent } from './types.ts'

const UNRELIABLE = '4.02'
/** Items that every registrant reports year by year, or that tell how a report is made up, are none to be woken by. */
const routine = new Set([
  '1.04',
  '2.02',
  '5.03',
  '5.04',
  '5.05',
  '5.06',
  '5.07',
  '5.08',
  '7.01',
  '8.01',
  '9.01',
])
/** Of items today: those of before August 2004 are whole numbers, 6.01 to 6.10 are of asset-backed securities. */
const material = Object.keys(eventItems).filter(
  (item) => /^[1-5]\.\d\d$/.test(item) && item !== UNRELIABLE && !routine.has(item),
)

/** Who is behind an institution: `id, cik, whose`, the last empty where the institution is the registrant itself. */
const registrants = {
  bank: `SELECT b.rssd_id AS id, b.cik AS cik, if(b.via = 'itself', '', concat(' of ', r.name)) AS whose
    FROM ${BANK_REGISTRANTS} AS b LEFT ANY JOIN ${REGISTRANTS} AS r ON r.cik = b.cik`,
  holding_company: `SELECT assumeNotNull(holding_company_rssd_id) AS id, cik, '' AS whose
    FROM ${linkedRelation(REGISTRANTS)} WHERE holding_company_rssd_id IS NOT NULL`,
} as const
type Registered = keyof typeof registrants

const firstFiled = 'ifNull(original_date, filed_date)'
const day = (sql: string) => `toString(toDate32(${sql}))`

/** What several registrants of one institution file together is told once. */
const filedBy = (entity: Registered, rows: string): string =>
  `(SELECT f.*, w.id AS id, w.whose AS whose FROM (${rows}) AS f INNER JOIN (${registrants[entity]}) AS w ON w.cik = f.cik
    ORDER BY id, subject, f.cik LIMIT 1 BY id, subject)`

const ofBoth = (kind: (entity: Registered) => Omit<AlertKind, 'entity' | 'entityId' | 'subject' | 'date'>) =>
  (['bank', 'holding_company'] as const).map((entity) => ({
    ...kind(entity),
    ...{ entity: `'${entity}'`, entityId: 'f.id', subject: 'f.subject', date: 'f.filed_date' },
  }))

const meanings = Object.fromEntries(
  Object.entries(eventItems).map(([item, meaning]) => [
    item,
    meaning.charAt(0).toLowerCase() + meaning.slice(1),
  ]),
)

/** A report of several items is an alert for each. */
const events = (type: 'sec_event' | 'sec_restatement', told: readonly string[]) =>
  ofBoth((entity) => ({
    type,
    reads: [EVENT_FEED],
    from: `${filedBy(
      entity,
      `SELECT cik, accession_number, form, filed_date, item, concat(accession_number, ' ', item) AS subject
      FROM ${EVENT_FEED} WHERE item IN (${quotedAll(told)}) AND ${recent('filed_date', EVENT_FEED)}`,
    )} AS f`,
    sentence: `concat(f.form, f.whose, ': ', transform(f.item, ${quotedList(told)}, ${quotedList(told.map((item) => meanings[item]!))}, ''), ' (item ', f.item, '), filed ', ${day('f.filed_date')})`,
    ...{ filing: 'f.accession_number', path: '/sec/filings/{filing}/' },
  }))

/** One that is traded on several days or in several lines of a form is one alert, as it is after an amendment of the form. */
const insiders = (code: keyof typeof trades) =>
  ofBoth((entity) => ({
    type: 'insider_trade',
    reads: [INSIDER_FEED],
    from: `${filedBy(
      entity,
      `SELECT cik, first_filed AS filed_date, concat(code, ' ', toString(owner), ' ', ${day('first_filed')}) AS subject FROM (
        SELECT cik, owner_ciks[1] AS owner, code, ${firstFiled} AS first_filed, sum(value) AS value FROM ${INSIDER_FEED}
        WHERE code = '${code}' AND NOT derivative AND ${recent(firstFiled, INSIDER_FEED)} GROUP BY cik, owner, code, first_filed
      ) WHERE value >= ${trades[code].least}`,
    )} AS f`,
    // what was traded at which price is of premium keys
    ...{ threshold: String(trades[code].least), unit: `'thousands of US dollars'` },
    sentence: `concat('An insider', f.whose, ' ${trades[code].did} shares for ${trades[code].says} or more (Form 4), filed ', ${day('f.filed_date')})`,
    path: entity === 'bank' ? '/banks/{id}/sec/filings/?form=4,4/A' : '/sec/filings/?form=4,4/A',
  }))

export const filingKinds: readonly AlertKind[] = [
  ...events('sec_event', material),
  ...events('sec_restatement', [UNRELIABLE]),
  ...ofBoth((entity) => ({
    type: 'sec_late_filing',
    reads: [FILING_FEED],
    from: `${filedBy(
      entity,
      `SELECT cik, accession_number, form, filed_date, report_date, accession_number AS subject
      FROM ${FILING_FEED} WHERE match(form, '^NT 10-[KQ]') AND ${recent('filed_date', FILING_FEED)}`,
    )} AS f`,
    sentence: `concat(f.form, f.whose, ': the ', if(startsWith(f.form, 'NT 10-K'), 'annual', 'quarterly'), ' report', if(f.report_date IS NULL, '', concat(' for ', ${day('assumeNotNull(f.report_date)')})), ' is late, by a notice of ', ${day('f.filed_date')})`,
    ...{ filing: 'f.accession_number', path: '/sec/filings/{filing}/' },
  })),
  ...insiders('P'),
  ...insiders('S'),
]
