import { hashOf } from '../hash.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'
import { meaningOfCode, nicTerminations, nicTransformations, typeOfChange, typeOfCode } from './types.ts'

/** Institutions whose openings and owners are events: banks, thrifts, credit unions, Edge corporations and holding companies. */
const REGULATED = '(200, 250, 300, 310, 320, 330, 340, 400, 500)'

const columns = `
    event String,
    date Date32,
    type LowCardinality(String),
    source LowCardinality(String),
    code LowCardinality(String),
    meaning LowCardinality(String),
    rssd_id Nullable(UInt32),
    cert Nullable(UInt32),
    legal_name Nullable(String),
    city Nullable(String),
    state LowCardinality(Nullable(String)),
    counterparty_rssd_id Nullable(UInt32),
    counterparty_cert Nullable(UInt32),
    counterparty_name Nullable(String),
    former Nullable(String),
    current Nullable(String)`

/** Every institution by its newest name: NIC's, else what other sources call it. */
const namesSql = `
SELECT rssd_id, argMax(legal_name, start_date) AS legal_name, argMax(city, start_date) AS city, argMax(state, start_date) AS state,
  argMax(cert, start_date) AS cert, argMax(entity_type, start_date) AS entity_type, argMax(ifNull(charter_type, 0), start_date) AS charter_type
FROM nic_institutions GROUP BY rssd_id
UNION ALL
SELECT id, argMax(name, until), argMax(e.city, until), nullIf(argMax(e.state, until), ''), argMax(e.cert, until), NULL, 200
FROM (SELECT *, ifNull(until, toDate32('2299-12-31')) AS until FROM entity_names WHERE kind = 'bank' AND id NOT IN (SELECT rssd_id FROM nic_institutions)) AS e GROUP BY id`

/** What NIC tells: who became part of whom, who began and ended, and whose control changed hands. */
const nicSql = `
SELECT concat('nic-', toString(predecessor_rssd_id), '-', toString(successor_rssd_id), '-', toString(t.date), '-', toString(kind)) AS event, t.date AS date,
  ${typeOfCode(nicTransformations, 'kind')} AS type, toString(kind) AS code, ${meaningOfCode(nicTransformations, 'kind')} AS meaning,
  predecessor_rssd_id AS rssd_id, successor_rssd_id AS counterparty_rssd_id
FROM transformations AS t
UNION ALL
SELECT concat('nic-', toString(i.rssd_id), '-opened'), toDate32(greatest(i.day, '1900-01-01')), 'opening', 'DT_EXIST_CMNC', 'start of existence', i.rssd_id, NULL
FROM (SELECT rssd_id, assumeNotNull(argMax(established_date, start_date)) AS day FROM nic_institutions
  WHERE charter_type IN ${REGULATED} AND established_date IS NOT NULL GROUP BY rssd_id) AS i
UNION ALL
SELECT concat('nic-', toString(i.rssd_id), '-ended'), i.ended, ${typeOfCode(nicTerminations, 'reason')}, concat('REASON_TERM_CD ', toString(reason)), ${meaningOfCode(nicTerminations, 'reason')}, i.rssd_id, NULL
FROM (SELECT rssd_id, assumeNotNull(argMax(terminated_date, start_date)) AS ended, assumeNotNull(argMax(termination_reason, start_date)) AS reason FROM nic_institutions
  WHERE terminated_date IS NOT NULL AND termination_reason IN (1, 2, 4, 5) GROUP BY rssd_id) AS i
WHERE i.rssd_id NOT IN (SELECT predecessor_rssd_id FROM transformations)
UNION ALL
SELECT concat('nic-', toString(parent_rssd_id), '-', toString(offspring_rssd_id), if(begins, '-from-', '-to-'), toString(r.start_date)), r.day,
  if(begins, 'control_acquired', 'control_ended'), if(begins, concat('REASON_ROW_CRTD ', toString(created_why)), concat('REASON_TERM_RELN ', toString(ended_why))),
  if(begins, 'relationship with control begins', 'relationship with control ends'), offspring_rssd_id, parent_rssd_id
FROM (SELECT *, arrayJoin([true, false]) AS begins, if(begins, start_date, assumeNotNull(end_date)) AS day FROM nic_relationships
  WHERE controlled = 1 AND level = 1 AND offspring_rssd_id IN (SELECT rssd_id FROM institution_names WHERE charter_type IN ${REGULATED})) AS r
WHERE if(begins, ifNull(created_why, 1) IN (1, 3, 5), end_date IS NOT NULL AND ended_why IN (1, 2))`

/** What FDIC tells of institutions, without what NIC has told already, and without the other side of each merger. */
const fdicSql = `
SELECT concat('fdic-', id) AS event, effective_date AS date, ${typeOfChange('change_code', `'FI'`)} AS type, toString(change_code) AS code, change AS meaning,
  l.entity_id AS rssd_id, cert, name, city, nullIf(h.state, '') AS state, if(c.known = 1, c.holder, NULL) AS counterparty_rssd_id,
  nullIf(ifNull(coalesce(survivor_cert, acquirer_cert), 0), cert) AS taken_by, if(survivor_name = '', acquirer_name, survivor_name) AS taken_by_name,
  multiIf(type = 'name_change', former_name, type = 'relocation' AND former_city != '', concat(former_city, ifNull(concat(', ', former_state), '')),
    type = 'charter_conversion', ifNull(former_class, ''), type = 'certificate_change', ifNull(toString(former_cert), ''), '') AS former,
  multiIf(former = '', '', type = 'name_change', name, type = 'relocation', concat(city, if(state IS NULL, '', concat(', ', state))),
    type = 'charter_conversion', class, toString(cert)) AS current
FROM fdic_history AS h
LEFT ANY JOIN (SELECT own, entity_id FROM links WHERE relation = 'fdic_history' AND entity = 'bank') AS l ON l.own = concat(toString(h.cert), ' ', h.name)
LEFT ANY JOIN (SELECT e.cert AS held_cert, uniqExact(e.id) AS known, any(e.id) AS holder FROM entity_names AS e WHERE kind = 'bank' AND e.cert IS NOT NULL GROUP BY e.cert) AS c
  ON c.held_cert = nullIf(ifNull(coalesce(survivor_cert, acquirer_cert), 0), h.cert)
WHERE ifNull(role, 'FI') != 'BR' AND intDiv(change_code, 100) != 7 AND change_code NOT IN (1, 810, 811, 812)
  AND NOT (type = 'opening' AND ifNull(l.entity_id, 0) IN (SELECT rssd_id FROM nic_institutions WHERE established_date IS NOT NULL))
  AND NOT (type IN ('merger', 'failure', 'closure') AND ifNull(l.entity_id, 0) IN (SELECT predecessor_rssd_id FROM transformations WHERE kind IN (1, 9, 50)))`

const steps: readonly Step[] = [
  {
    name: 'institution_names',
    makes: {
      institution_names: `(rssd_id UInt32, legal_name String, city String, state LowCardinality(Nullable(String)),
    cert Nullable(UInt32), entity_type LowCardinality(Nullable(String)), charter_type UInt32) ENGINE = MergeTree ORDER BY rssd_id`,
    },
    fill: [`INSERT INTO institution_names ${namesSql}`],
  },
  {
    name: 'structural_events',
    makes: { structural_events: `(${columns}) ENGINE = MergeTree ORDER BY (date, event)` },
    fill: [
      `INSERT INTO structural_events
SELECT e.event, e.date, e.type, 'NIC', e.code, e.meaning, e.rssd_id, n.cert, nullIf(n.legal_name, ''), nullIf(n.city, ''), n.state, e.counterparty_rssd_id, o.cert, nullIf(o.legal_name, ''), NULL, NULL
FROM (${nicSql}) AS e
LEFT ANY JOIN institution_names AS n ON n.rssd_id = e.rssd_id
LEFT ANY JOIN institution_names AS o ON o.rssd_id = e.counterparty_rssd_id`,
      `INSERT INTO structural_events
SELECT event, date, type, 'FDIC', code, meaning, rssd_id, cert, nullIf(name, ''), nullIf(city, ''), state, counterparty_rssd_id, nullIf(taken_by, 0), nullIf(taken_by_name, ''), nullIf(former, ''), nullIf(current, '') FROM (${fdicSql})`,
    ],
  },
  {
    // the same by institution: on either side of it
    name: 'institution_events',
    makes: {
      institution_events: `(institution UInt32, role LowCardinality(String), ${columns}) ENGINE = MergeTree ORDER BY (institution, date, event)`,
    },
    fill: [
      `INSERT INTO institution_events
SELECT assumeNotNull(side.1) AS institution, side.2 AS role, * EXCEPT side
FROM (SELECT *, arrayJoin([(rssd_id, 'subject'), (counterparty_rssd_id, 'counterparty')]) AS side FROM structural_events)
WHERE side.1 IS NOT NULL AND NOT (role = 'counterparty' AND counterparty_rssd_id = ifNull(rssd_id, 0))`,
    ],
  },
]

/**
 * Makes the tables of structural events after the links: `structural_events` in the order of time, for feeds, and
 * `institution_events` in the order of the institutions on either side; and `institution_names`, what each is called last.
 */
export const writeEvents = (making: Making): Promise<unknown> => makeSteps(making, steps)

/** Changes when what makes the tables does. */
export const eventsHash: string = hashOf(steps)
