import { nicNumbers, OCC_CHARTER } from '../../entities/link.ts'
import { groupsSql } from './groups.ts'

/** The names and places that banks had, of all sources that know both these and the RSSD ID. */
export const names = `
SELECT rssd_id AS id, nullIf(max(f.cert), 0) AS cert, legal_name AS name, city, toString(f.state) AS state,
    toNullable(toDate32(max(report_date))) AS until
FROM filers AS f WHERE f.cert > 0 GROUP BY rssd_id, legal_name, city, f.state
UNION ALL
SELECT assumeNotNull(rssd_id) AS id, nullIf(max(i.cert), 0) AS cert, name, city, toString(i.state) AS state,
    CAST(NULL AS Nullable(Date32)) AS until
FROM fdic_institutions AS i WHERE rssd_id IS NOT NULL GROUP BY rssd_id, name, city, i.state
UNION ALL
SELECT n.rssd_id AS id, cert, n.legal_name AS name, n.city AS city, ifNull(toString(n.state), '') AS state, terminated_date AS until
FROM nic_institutions AS n WHERE cert IS NOT NULL
    AND n.rssd_id NOT IN (SELECT rssd_id FROM filers) AND n.rssd_id NOT IN (SELECT assumeNotNull(rssd_id) FROM fdic_institutions WHERE rssd_id IS NOT NULL)
UNION ALL
SELECT d.rssd_id AS id, nullIf(max(d.cert), 0) AS cert, bank_name AS name, city, toString(d.state) AS state,
    toNullable(makeDate32(max(year), 6, 30)) AS until
FROM branch_deposits AS d WHERE rssd_id > 0 AND main_office AND rssd_id NOT IN (SELECT rssd_id FROM filers)
GROUP BY rssd_id, bank_name, city, d.state`

/** The names of their holding companies: complaints and orders often name the group. */
export const aliases = `
SELECT DISTINCT assumeNotNull(rssd_id) AS id, assumeNotNull(holding_company_name) AS name
FROM fdic_institutions WHERE rssd_id IS NOT NULL AND holding_company_name IS NOT NULL
UNION ALL ${groupsSql}`

/** Charter numbers of the OCC (of savings institutions 700,000 and the docket of the OTS), and what NIC knows. */
export const numbers = `
SELECT DISTINCT rssd_id AS id, concat('${OCC_CHARTER} ', toString(assumeNotNull(occ_charter))) AS number
FROM filers WHERE cert > 0 AND occ_charter IS NOT NULL
UNION ALL ${nicNumbers}`
