/** Kinds of institution that links name where no universe of them is served. */
import type { Named } from './find.ts'

/** Holding companies by what FDIC tells of their banks: its place is taken for theirs, as most sit beside their bank. */
export const holdingCompanyNames = `
SELECT DISTINCT assumeNotNull(holding_company_rssd_id) AS id, CAST(NULL AS Nullable(UInt32)) AS cert,
    assumeNotNull(holding_company_name) AS name, city, toString(state) AS state, CAST(NULL AS Nullable(Date32)) AS until
FROM fdic_institutions WHERE holding_company_rssd_id > 0 AND holding_company_name IS NOT NULL`

export const holdingCompanies: Named = {
  entity: 'holding_company',
  id: 'rssd_id',
  idLabel: 'RSSD ID',
  names: holdingCompanyNames,
}

/** Nobody is known by name before a universe of them is served: what names one stays unattached. */
export const creditUnions: Named = {
  entity: 'credit_union',
  id: 'cu_number',
  idLabel: 'charter number',
  names: `SELECT toUInt32(0) AS id, CAST(NULL AS Nullable(UInt32)) AS cert, '' AS name, '' AS city, '' AS state,
    CAST(NULL AS Nullable(Date32)) AS until WHERE false`,
}
