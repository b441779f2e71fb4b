/** What insiders and institutions hold and trade, in the orders in which it is read. */

import { hashOf } from '../hash.ts'
import { BANK_REGISTRANTS } from '../registrants/index.ts'
import { oneFile } from '../sources/declare.ts'
import { SECURITIES } from '../sources/sec-13f.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'

/** Lines of Forms 3, 4 and 5 by issuer as they stand: without those that an amendment replaces. */
export const INSIDER_LINES = 'insider_lines'
/** Those that one replaces: `cik, accession_number, derivative, holding, line`. */
const REPLACED_LINES = 'insider_lines_replaced'
/** Transactions of the insiders of bank registrants as they stand, in the order in which they were filed. */
export const INSIDER_FEED = 'insider_feed'
/** Positions of Form 13F in securities of registrants as they stand, by registrant and period. */
export const INSTITUTIONAL_HOLDINGS = 'institutional_holdings'
/** Which registrant issued each security that could be linked: `own` is its CUSIP. */
const ISSUERS_OF_SECURITIES = 'issuers_of_securities'

const line = ['accession_number', 'derivative', 'holding', 'line']
const columns = `
  cik UInt32, filed_date Date32, accession_number String, derivative Bool, holding Bool, line UInt32, form LowCardinality(String), period Nullable(Date32),
  original_date Nullable(Date32), issuer LowCardinality(String), ticker LowCardinality(String), plan_10b5_1 Nullable(Bool),
  owner_ciks Array(UInt32), owners Array(String), owner_roles Array(Array(LowCardinality(String))), owner_titles Array(String),
  security LowCardinality(String), date Nullable(Date32), code LowCardinality(String), shares Nullable(Float64), price Nullable(Float64), value Nullable(Float64),
  direction LowCardinality(String), ownership LowCardinality(String), nature LowCardinality(String), shares_after Nullable(Float64), value_after Nullable(Float64),
  exercise_price Nullable(Float64), exercise_date Nullable(Date32), expiration_date Nullable(Date32), underlying Nullable(String), underlying_shares Nullable(Float64)`

/**
 * SQL of the lines of forms. A form without any, such as a Form 3 of somebody who holds nothing, is line 0. The value is of the
 * shares at their price, else what the form tells in its place; in thousands. All three tables are in the order of filings, so
 * they are merged.
 * @param which condition on `accession_number`
 */
const linesOf = (which = 'true'): string => `
SELECT f.cik AS cik, f.filed_date AS filed_date, f.accession_number AS accession_number, l.derivative AS derivative, l.holding OR l.line = 0 AS holding, l.line AS line, f.form AS form,
  f.period AS period, f.original_date AS original_date, f.issuer AS issuer, f.ticker AS ticker, f.plan_10b5_1 AS plan_10b5_1,
  o.ciks AS owner_ciks, o.names AS owners, o.of_roles AS owner_roles, o.titles AS owner_titles, l.security AS security, l.date AS date, l.code AS code, l.shares AS shares,
  l.price AS price, coalesce(l.shares * l.price, l.total_value) / 1000 AS value, l.direction AS direction, l.ownership AS ownership, ifNull(l.nature, '') AS nature,
  l.shares_after AS shares_after, l.value_after / 1000 AS value_after, l.exercise_price AS exercise_price, l.exercise_date AS exercise_date,
  l.expiration_date AS expiration_date, l.underlying AS underlying, l.underlying_shares AS underlying_shares
FROM (SELECT * FROM sec_insider_filings WHERE ${which}) AS f
LEFT JOIN (SELECT * FROM sec_insider_lines WHERE ${which}) AS l ON l.accession_number = f.accession_number
LEFT JOIN (
  SELECT accession_number, groupArray(owner_cik) AS ciks, groupArray(owner) AS names, groupArray(roles) AS of_roles, groupArray(ifNull(title, '')) AS titles
  FROM sec_insider_owners WHERE ${which} GROUP BY accession_number
) AS o ON o.accession_number = f.accession_number
SETTINGS join_algorithm = 'full_sorting_merge'`

/** Amendments, and what each may amend: their lines alone are compared. */
const amended = `accession_number IN (
  SELECT accession_number FROM sec_insider_filings
  WHERE (cik, coalesce(original_date, filed_date)) IN (SELECT cik, original_date FROM sec_insider_filings WHERE original_date IS NOT NULL)
)`

/**
 * By the form's instructions an amendment repeats the lines that it changes, and only these. One stands for a line of the same
 * list and security of the filing that it amends, or of an earlier amendment of that, by the same owners, where three of
 * day, code, shares, price and shares after are the same; a holding, where ownership and its nature are.
 */
const replacedSql = `
SELECT DISTINCT ${['cik', ...line].map((name) => `o.${name} AS ${name}`).join(', ')}
FROM (${linesOf(amended)}) AS o
INNER JOIN (SELECT * FROM (${linesOf(amended)}) WHERE original_date IS NOT NULL) AS a
  ON a.cik = o.cik AND a.owner_ciks = o.owner_ciks AND a.original_date = coalesce(o.original_date, o.filed_date) AND a.derivative = o.derivative AND a.holding = o.holding
    AND lower(a.security) = lower(o.security)
WHERE (a.filed_date, a.accession_number) > (o.filed_date, o.accession_number) AND substring(a.form, 1, 1) = substring(o.form, 1, 1)
  AND if(o.holding, a.ownership = o.ownership AND a.nature = o.nature,
    (a.date <=> o.date) + (a.code = o.code) + (a.shares <=> o.shares) + (a.price <=> o.price) + (a.shares_after <=> o.shares_after) >= 3)`

/** Worked out here and not where they are read, which would do it for each query of each request. */
const standingSql = `
SELECT * FROM (${linesOf()}) WHERE (${line.join(', ')}) NOT IN (SELECT ${line.join(', ')} FROM ${REPLACED_LINES})`

const feedSql = `
SELECT l.*, b.rssd_ids AS rssd_ids FROM ${INSIDER_LINES} AS l
LEFT ANY JOIN (SELECT cik, arraySort(groupUniqArray(rssd_id)) AS rssd_ids FROM ${BANK_REGISTRANTS} GROUP BY cik) AS b ON b.cik = l.cik
WHERE NOT l.holding AND l.cik IN (SELECT cik FROM sec_registrants)`

/** Values were filed in thousands until this day. A restatement replaces what was filed before it for the period. */
const DOLLARS_SINCE = '2023-01-03'
const holdingsSql = `
SELECT l.entity_id AS cik, r.period AS period, p.accession_number AS accession_number, p.line AS line, r.filed_date AS filed_date, r.form AS form,
  r.manager_cik AS manager_cik, c.manager AS manager, p.cusip AS cusip, p.class AS class, p.amount AS amount, p.amount_type AS amount_type, p.option AS option,
  if(r.filed_date < '${DOLLARS_SINCE}', p.value, p.value / 1000) AS value, p.discretion AS discretion, p.voting_sole AS voting_sole,
  p.voting_shared AS voting_shared, p.voting_none AS voting_none
FROM sec_13f_positions AS p
INNER JOIN ${ISSUERS_OF_SECURITIES} AS l ON l.own = p.cusip
INNER JOIN (
  SELECT r.*, max(if(c.amendment_type = 'RESTATEMENT', (r.filed_date, r.accession_number), (toDate32('1900-01-01'), ''))) OVER (PARTITION BY manager_cik, period) AS restated
  FROM sec_13f_reports AS r LEFT ANY JOIN sec_13f_covers AS c ON c.accession_number = r.accession_number
) AS r ON r.accession_number = p.accession_number
LEFT ANY JOIN sec_13f_covers AS c ON c.accession_number = p.accession_number
WHERE (r.filed_date, r.accession_number) >= r.restated`

/** Totals by day and code are added up of the projection instead of read. */
const feedDefinition = `(${columns}, rssd_ids Array(UInt32),
    PROJECTION by_day (SELECT filed_date, code, count() GROUP BY filed_date, code)
  ) ENGINE = MergeTree ORDER BY (filed_date, ${line.join(', ')}) SETTINGS index_granularity = 1024, ${oneFile}`

const by = (order: string) => `ENGINE = MergeTree ORDER BY (${order})`
const settings = { max_insert_threads: '2' }
const steps: readonly Step[] = [
  {
    name: REPLACED_LINES,
    makes: {
      [REPLACED_LINES]: `(cik UInt32, accession_number String, derivative Bool, holding Bool, line UInt32) ${by(`cik, ${line.join(', ')}`)}`,
    },
    fill: [`INSERT INTO ${REPLACED_LINES} ${replacedSql}`],
    ...{ needs: ['sec_insider_filings'], settings },
  },
  {
    name: INSIDER_LINES,
    makes: {
      [INSIDER_LINES]: `(${columns}) ${by(`cik, filed_date, ${line.join(', ')}`)} SETTINGS index_granularity = 1024, ${oneFile}`,
    },
    fill: [`INSERT INTO ${INSIDER_LINES} ${standingSql}`],
    ...{ needs: ['sec_insider_filings'], settings },
  },
  {
    name: INSIDER_FEED,
    makes: { [INSIDER_FEED]: feedDefinition },
    fill: [`INSERT INTO ${INSIDER_FEED} ${feedSql}`],
    ...{ needs: [INSIDER_LINES], settings },
  },
  {
    // of all links, those that the positions rest on: other links leave these as they are
    name: ISSUERS_OF_SECURITIES,
    makes: { [ISSUERS_OF_SECURITIES]: `(own String, entity_id UInt32) ${by('own')}` },
    fill: [
      `INSERT INTO ${ISSUERS_OF_SECURITIES} SELECT own, assumeNotNull(entity_id) FROM links WHERE relation = '${SECURITIES}' AND entity = 'sec_registrant' AND entity_id IS NOT NULL`,
    ],
  },
  {
    name: INSTITUTIONAL_HOLDINGS,
    makes: {
      [INSTITUTIONAL_HOLDINGS]: `(cik UInt32, period Date32, accession_number String, line UInt32, filed_date Date32, form LowCardinality(String), manager_cik UInt32, manager LowCardinality(String),
          cusip LowCardinality(String), class LowCardinality(String), amount Float64, amount_type LowCardinality(String), option LowCardinality(String), value Float64,
          discretion LowCardinality(String), voting_sole Nullable(Float64), voting_shared Nullable(Float64), voting_none Nullable(Float64)) ${by('cik, period, accession_number, line')}`,
    },
    fill: [`INSERT INTO ${INSTITUTIONAL_HOLDINGS} ${holdingsSql}`],
    ...{ needs: ['sec_13f_positions'], settings },
  },
]

/** Makes the tables, after links and registrants. */
export const writeInsiders = (making: Making): Promise<unknown> => makeSteps(making, steps)

/** Changes when what makes the tables does. */
export const insidersHash: string = hashOf(steps)
