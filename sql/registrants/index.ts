/** Which registrant of the SEC is behind each bank: the bank itself, or the highest of its holders that is one. */

import { hashOf } from '../hash.ts'
import { REGISTRANTS } from '../sources/sec-registrants.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'

export const BANK_REGISTRANTS = 'bank_registrants'

/** Companies between a bank and its highest holder. */
const MOST_LEVELS = 8

const definition = `(
    rssd_id UInt32,
    cik UInt32,
    via LowCardinality(String),
    holder_rssd_id Nullable(UInt32),
    holders UInt8,
    method LowCardinality(String),
    score Float32,
    evidence String
) ENGINE = MergeTree ORDER BY (rssd_id, cik)`

/** Who holds whom today, by NIC, and by FDIC of each bank the highest holder, as it last reported it. */
const holdersSql = `
SELECT DISTINCT offspring_rssd_id AS held, parent_rssd_id AS holder FROM nic_relationships WHERE controlled = 1 AND end_date IS NULL
UNION DISTINCT
SELECT assumeNotNull(rssd_id), assumeNotNull(argMax(holding_company_rssd_id, report_date)) FROM fdic_institutions
WHERE rssd_id > 0 GROUP BY rssd_id HAVING argMax(holding_company_rssd_id, report_date) > 0`

const rowsSql = `
WITH RECURSIVE
  holders AS (${holdersSql}),
  above AS (
    SELECT id AS bank, id AS holder, 0 AS holders FROM entities WHERE kind = 'bank'
    UNION ALL
    SELECT a.bank AS bank, h.holder AS holder, a.holders + 1 AS holders FROM above AS a INNER JOIN holders AS h ON h.held = a.holder
    WHERE a.holders < ${MOST_LEVELS}
  ),
  registered AS (
    SELECT entity, assumeNotNull(entity_id) AS id, toUInt32(own) AS cik, method, score, evidence FROM links
    WHERE relation = '${REGISTRANTS}' AND entity IN ('bank', 'holding_company') AND entity_id IS NOT NULL
  ),
  behind AS (
    SELECT a.bank AS rssd_id, r.cik AS cik, r.id AS holder, max(a.holders) AS holders, any(r.method) AS method, any(r.score) AS score, any(r.evidence) AS evidence
    FROM above AS a INNER JOIN registered AS r ON r.id = a.holder AND (r.entity = 'bank') = (a.holders = 0)
    GROUP BY rssd_id, cik, holder
  )
SELECT rssd_id, cik, if(holders = 0, 'itself', 'holding company') AS via, if(holders = 0, NULL, holder) AS holder_rssd_id, holders, method, score, evidence
FROM behind
QUALIFY if(min(behind.holders) OVER (PARTITION BY rssd_id) = 0, 0, max(behind.holders) OVER (PARTITION BY rssd_id)) = behind.holders
ORDER BY rssd_id, cik LIMIT 1 BY rssd_id, cik`

const step: Step = {
  name: BANK_REGISTRANTS,
  makes: { [BANK_REGISTRANTS]: definition },
  // without registrants there is nothing to find, and a search through all holders is work
  needs: [REGISTRANTS],
  fill: [`INSERT INTO ${BANK_REGISTRANTS} ${rowsSql}`],
}

/**
 * Makes `bank_registrants` after links and entities: a row a bank and registrant. Several registrants of one institution,
 * such as one before and one after a reorganisation, are several rows.
 */
export const writeRegistrants = (making: Making): Promise<unknown> => makeSteps(making, [step])

/** Changes when what makes the table does. */
export const registrantsHash: string = hashOf(step)
