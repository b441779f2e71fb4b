import { dates } from '../../derive/quarters.ts'
import type { Identity } from '../../derive/universe.ts'
import { versionInForce } from '../../risk/model.ts'
import { ordersHashSql } from './orders.ts'

/**
 * Who the filers of a quarter are. The Call Report's panel of reporters knows name and place; charter class,
 * supervisor, holding company, CBSA, metropolitan area and offices are FDIC's, of the newest edition not after the quarter, else of the
 * oldest after it.
 */
const fromFdic = {
  charter: "nullIf(institution.charter_class, '')",
  regulator: "nullIf(institution.regulator, '')",
  holding_company_rssd_id: 'institution.holding_company_rssd_id',
  holding_company_name: 'institution.holding_company_name',
  cbsa_code: 'institution.cbsa_code',
  cbsa_name: 'institution.cbsa_name',
  metropolitan: 'institution.metropolitan',
  established_date: 'institution.established_date',
  web_address: 'institution.web_address',
  offices: 'institution.offices',
  specialization: 'institution.specialization_group',
}

/**
 * The edition that each quarter takes, with a hash of its rows, the failure model that scores it, and who was under a formal
 * enforcement action: `report_date, edition, edition_hash`.
 */
const editionsSql = `
SELECT q.report_date AS report_date, e.chosen.1 AS edition, concat(ifNull(toString(e.chosen.2), ''), ${versionInForce}, if(o.orders_hash = '', '', concat(' ', o.orders_hash))) AS edition_hash
FROM (SELECT DISTINCT report_date FROM filers) AS q
LEFT JOIN (
    SELECT
        report_date,
        arraySort(groupArray((edition, hash))) AS editions,
        if(
            arrayExists(e -> e.1 <= report_date, editions),
            arrayLast(e -> e.1 <= report_date, editions),
            editions[1]
        ) AS chosen
    FROM (SELECT DISTINCT report_date FROM filers) AS quarters
    CROSS JOIN (
        SELECT toNullable(report_date) AS edition, sum(cityHash64(toString(tuple(*)))) AS hash FROM fdic_institutions
        GROUP BY report_date
    ) AS editions
    GROUP BY report_date
) AS e ON e.report_date = q.report_date
LEFT JOIN (${ordersHashSql}) AS o ON o.report_date = q.report_date`

/** The same for some quarters, without the hash: `report_date, edition`. */
const editionsOfSql = (quarters: readonly string[]) => `
SELECT
    arrayJoin([${dates(quarters)}]::Array(Date)) AS report_date,
    (SELECT groupUniqArray(report_date) FROM fdic_institutions) AS editions,
    if(
        arrayExists(e -> e <= report_date, editions),
        arrayMax(arrayFilter(e -> e <= report_date, editions)),
        arrayMin(editions)
    ) AS edition
WHERE notEmpty(editions)`

const chosen = (quarters: readonly string[]) =>
  `report_date IN (SELECT edition FROM (${editionsOfSql(quarters)}))`

/**
 * One row a bank and quarter: a filer with an FDIC certificate, joined to FDIC's institutions by certificate, else
 * by RSSD ID. Filers without a certificate are trust companies and branches that are not insured: no banks here.
 */
export const identitiesSql = (quarters: readonly string[]): string => `SELECT
    f.report_date AS report_date, f.rssd_id AS rssd_id, assumeNotNull(f.cert) AS cert, f.legal_name AS legal_name,
    f.city AS city, f.state AS hq_state, f.form AS form, f.address AS address, f.zip AS zip,
    ${Object.entries(fromFdic)
      .map(([name, value]) => {
        const of = (alias: string) => value.replace('institution', alias)
        return `if(by_cert.cert > 0, ${of('by_cert')}, ${of('by_rssd')}) AS ${name}`
      })
      .join(',\n    ')}
FROM (SELECT * FROM filers WHERE report_date IN (${dates(quarters)}) AND cert > 0) AS f
LEFT JOIN (${editionsOfSql(quarters)}) AS e ON e.report_date = f.report_date
LEFT JOIN (SELECT * FROM fdic_institutions WHERE ${chosen(quarters)} LIMIT 1 BY report_date, cert) AS by_cert
    ON by_cert.report_date = e.edition AND by_cert.cert = f.cert
LEFT JOIN (SELECT * FROM fdic_institutions WHERE ${chosen(quarters)} AND rssd_id > 0 LIMIT 1 BY report_date, rssd_id) AS by_rssd
    ON by_rssd.report_date = e.edition AND by_rssd.rssd_id = f.rssd_id`

export const identity: Identity = {
  columns: [
    'cert UInt32',
    'legal_name String',
    'city String',
    'hq_state LowCardinality(String)',
    'charter LowCardinality(Nullable(String))',
    'regulator LowCardinality(Nullable(String))',
    'form LowCardinality(String)',
    'holding_company_rssd_id Nullable(UInt32)',
    'holding_company_name Nullable(String)',
    'cbsa_code Nullable(String)',
  ],
  directory: [
    'established_date Nullable(Date32)',
    'web_address Nullable(String)',
    'cbsa_name Nullable(String)',
    'address String',
    'zip String',
  ],
  sql: identitiesSql,
  editionsSql,
}
