/** Which registrant a security is of: by its CUSIP in 13D and 13G documents, and by the name of its issuer. */
import { bareName } from '../entities/names.ts'
import { registrantName } from './sec-registrants.ts'

/** SQL condition on rows with a CIK: of bank registrants, as far as any are loaded; else of everybody. */
export const ofRegistrants =
  '(SELECT count() FROM sec_registrants) = 0 OR cik IN (SELECT cik FROM sec_registrants)'

/** SQL of the issuer's part of a CUSIP, as a number that an issuer may have several of: none contradicts another. */
export const cusipNumber = (cusip: string): string => `concat('CUSIP-', substring(${cusip}, 1, 6))`

const named = `
SELECT cik, name FROM sec_registrants
UNION ALL SELECT cik, arrayJoin(former_names.name) FROM sec_registrants`

/** SQL condition: a name is that of a registrant, now or formerly. */
export const registrantNames = (name: string): string =>
  `${bareName(name)} IN (SELECT ${bareName(registrantName('name'))} FROM (${named}))`

/** Registrants as the links of securities know them. */
export const securityIssuers = {
  entity: 'sec_registrant',
  id: 'cik',
  idLabel: 'CIK',
  names: `SELECT DISTINCT cik AS id, CAST(NULL AS Nullable(UInt32)) AS cert, ${registrantName('name')} AS name, '' AS city, '' AS state,
    CAST(NULL AS Nullable(Date32)) AS until FROM (${named})`,
  numbers: `SELECT DISTINCT cik AS id, ${cusipNumber('cusip')} AS number FROM sec_beneficial_owners WHERE cusip != ''`,
} as const
