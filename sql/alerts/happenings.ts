/** Alerts of what sources tell beside the filings: structural events, failures, enforcement actions, complaints. */
import { linkedRelation } from '../entities/links.ts'
import { type EventType, eventTypeKeys, eventTypes } from '../events/types.ts'
import { quotedList } from '../quoted.ts'
import { ENFORCEMENT } from '../sources/enforcement.ts'
import { type AlertKind, recent } from './types.ts'

/** What happened to it; `{other}` is the other institution, `{former}` and `{current}` what changed. */
const subjectOf: Readonly<Partial<Record<EventType, string>>> = {
  opening: 'Opened',
  merger: 'Became part of {other}',
  assistance: 'Was kept open with assistance',
  conservatorship: 'Entered or left a conservatorship or bridge bank',
  closure: 'Closed without failing',
  reorganization: 'Was reorganized into {other}',
  split: 'Part of it became {other}',
  asset_sale: 'Sold a large part of its assets to {other}',
  charter_conversion: 'Changed its charter',
  regulator_change: 'Changed its primary regulator',
  membership_change: 'Changed its insurance or its membership in the Federal Reserve System',
  name_change: 'Changed its name from {former} to {current}',
  relocation: 'Moved its head office from {former} to {current}',
  certificate_change: 'Got another FDIC certificate',
  control_acquired: 'Came under the control of {other}',
  control_ended: 'Left the control of {other}',
}
/** What it did, where it is the other side. */
const counterpartyOf: Readonly<Partial<Record<EventType, string>>> = {
  merger: 'Took over {other}',
  failure: 'Took over {other}, which failed',
  assistance: 'Took part in the assistance to {other}',
  reorganization: 'Took the place of {other} in a reorganization',
  split: 'Came from a split of {other}',
  asset_sale: 'Bought a large part of the assets of {other}',
  control_acquired: 'Acquired control of {other}',
  control_ended: 'Gave up control of {other}',
}

const phrases = (told: Readonly<Partial<Record<EventType, string>>>) =>
  quotedList(eventTypeKeys.map((type) => told[type] ?? eventTypes[type].slice(0, -1)))
const phrase = `if(e.role = 'subject', ${phrases(subjectOf)}, ${phrases(counterpartyOf)})[indexOf(${quotedList(eventTypeKeys)}, e.type)]`
const other = `ifNull(if(e.role = 'subject', e.counterparty_name, e.legal_name), 'another institution')`
const filled = `replaceOne(replaceOne(replaceOne(${phrase}, '{other}', ${other}), '{former}', ifNull(e.former, 'another')), '{current}', ifNull(e.current, 'another'))`

const day = (sql: string) => `toString(toDate32(${sql}))`

const structural = (entity: string, path: string): AlertKind => ({
  type: 'structural_event',
  reads: ['institution_events'],
  from: `(SELECT * FROM institution_events WHERE institution IN (SELECT id FROM entities WHERE kind = '${entity}') AND ${recent('date', 'institution_events')}) AS e`,
  where: `NOT (e.type = 'failure' AND e.role = 'subject')`,
  ...{
    entity: `'${entity}'`,
    entityId: 'e.institution',
    subject: `concat(e.event, ' ', e.role)`,
    date: 'e.date',
  },
  sentence: `concat(${filled}, ' on ', ${day('e.date')})`,
  path,
})

/** The same failure is told by several: by events, by the list of failed banks, by the figures of failures. */
const failures = `(SELECT rssd_id, min(failed) AS failed, max(buyer) AS buyer FROM (
    SELECT institution AS rssd_id, date AS failed, ifNull(counterparty_name, '') AS buyer FROM institution_events WHERE type = 'failure' AND role = 'subject'
    UNION ALL SELECT assumeNotNull(rssd_id), closed_date, ifNull(acquirer, '') FROM ${linkedRelation('failed_banks')} WHERE rssd_id IS NOT NULL
    UNION ALL SELECT assumeNotNull(rssd_id), failed_date, ifNull(acquirer, '') FROM ${linkedRelation('failures')} WHERE rssd_id IS NOT NULL AND kind = 'FAILURE'
  ) GROUP BY rssd_id)`

/** Complete quarters up to the newest complaint. */
const complaints = `(
  SELECT rssd_id, quarter, now, before FROM (
    SELECT assumeNotNull(rssd_id) AS rssd_id, newest, toFloat64(countIf(received_date >= newest)) AS now,
      countIf(received_date < newest AND received_date >= subtractQuarters(newest, 4)) / 4 AS before, newest AS quarter
    FROM (SELECT rssd_id, toDate32(received_date) AS received_date FROM ${linkedRelation('complaints')} WHERE rssd_id IS NOT NULL) AS c,
      (SELECT toDate32(subtractQuarters(toStartOfQuarter(addDays(max(received_date), 1)), 1)) AS newest FROM complaints) AS n
    WHERE received_date < addQuarters(newest, 1)
    GROUP BY rssd_id, newest
  ) WHERE now >= 10 AND now >= 2 * before
)`

const words = `replaceAll(toString(a.type), '_', ' ')`
const action = (entity: string, id: string, path: string): AlertKind => ({
  type: 'enforcement_action',
  reads: [ENFORCEMENT],
  from: `(SELECT DISTINCT ${id} AS id, agency, a.id AS action, type, start_date, penalty FROM ${linkedRelation(ENFORCEMENT)} AS a WHERE ${id} > 0 AND ${recent('start_date', ENFORCEMENT)}) AS a`,
  ...{
    entity: `'${entity}'`,
    entityId: 'a.id',
    subject: `concat(a.agency, ' ', a.action)`,
    date: 'a.start_date',
  },
  ...{ value: 'a.penalty', unit: `if(a.penalty IS NULL, NULL, 'thousands of US dollars')` },
  sentence: `concat(a.agency, ': ', ${words}, ' of ', ${day('a.start_date')}, if(a.penalty IS NULL, '', concat(', with a penalty of $', toString(round(assumeNotNull(a.penalty), 1)), ' thousand')))`,
  path,
})

export const happeningKinds: readonly AlertKind[] = [
  structural('bank', '/banks/{id}/events/'),
  structural('holding_company', '/holding-companies/{id}/'),
  {
    type: 'failure',
    reads: ['institution_events', 'failed_banks', 'failures'],
    from: `${failures} AS f`,
    where: recent('failed', failures),
    ...{ entity: `'bank'`, entityId: 'f.rssd_id', subject: `'failure'`, date: 'f.failed' },
    sentence: `concat('Failed on ', ${day('f.failed')}, if(f.buyer = '', '', concat('; ', f.buyer, ' took it over')))`,
    path: '/banks/{id}/events/',
  },
  action('bank', 'rssd_id', '/banks/{id}/enforcement/'),
  action('holding_company', 'holding_company_rssd_id', '/enforcement/'),
  {
    type: 'enforcement_action',
    reads: ['ncua_orders'],
    // NCUA tells the year alone
    from: `(SELECT cu_number, id, type, makeDate32(year, 1, 1) AS since, year, docket FROM ${linkedRelation('ncua_orders')} WHERE cu_number IS NOT NULL AND year >= (SELECT max(year) FROM ncua_orders)) AS a`,
    ...{ entity: `'credit_union'`, entityId: 'assumeNotNull(a.cu_number)', subject: 'a.id', date: 'a.since' },
    sentence: `concat('NCUA: ', ${words}, ' of ', toString(a.year), ' (docket ', a.docket, ')')`,
    path: '/enforcement/ncua/',
  },
  {
    type: 'complaint_surge',
    reads: ['complaints'],
    from: `${complaints} AS c`,
    ...{
      entity: `'bank'`,
      entityId: 'c.rssd_id',
      subject: `'complaints'`,
      date: 'toLastDayOfMonth(addMonths(c.quarter, 2))',
    },
    period: `concat(toString(toYear(c.quarter)), 'Q', toString(toQuarter(c.quarter)))`,
    ...{ value: 'c.now', before: 'c.before', change: 'c.now - c.before', unit: `'count'` },
    sentence: `concat(toString(toUInt64(c.now)), ' complaints to CFPB in ', toString(toYear(c.quarter)), 'Q', toString(toQuarter(c.quarter)), ', after ', toString(round(c.before, 1)), ' in the average quarter of the year before')`,
    path: '/banks/{id}/complaints/',
  },
]
