/** Which registrant of the SEC is behind each bank: the bank itself, or the highest of its holders that is one. */

import { linkedRelation } from '../entities/links.ts'
import { hashOf } from '../hash.ts'
import { columnType } from '../sources/columns.ts'
import { keptColumns } from '../sources/declare.ts'
import { REGISTRANTS, registrants } from '../sources/sec-registrants.ts'
import { TICKERS } from '../sources/sec-tickers.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'

export const BANK_REGISTRANTS = 'bank_registrants'
/** Registrants with their tickers of today, the institution that each is, and the banks that it is or holds. */
export const REGISTRANT_DIRECTORY = 'registrant_directory'

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

const columns = keptColumns(registrants.columns)
const directorySql = `
SELECT r.* EXCEPT (tickers, exchanges, rssd_id, holding_company_rssd_id), if(t.tickers_now = [], r.tickers, t.tickers_now) AS tickers,
  if(t.tickers_now = [], r.exchanges, t.exchanges_now) AS exchanges, coalesce(r.holding_company_rssd_id, r.rssd_id) AS institution, b.banks AS banks
FROM ${linkedRelation(REGISTRANTS)} AS r
LEFT ANY JOIN (SELECT cik AS behind, arraySort(groupArray(rssd_id)) AS banks FROM ${BANK_REGISTRANTS} GROUP BY cik) AS b ON b.behind = r.cik
LEFT ANY JOIN (SELECT cik AS traded, groupArray(ticker) AS tickers_now, groupArray(ifNull(exchange, 'none')) AS exchanges_now FROM ${TICKERS} GROUP BY cik) AS t ON t.traded = r.cik`

const steps: readonly Step[] = [
  {
    name: BANK_REGISTRANTS,
    makes: { [BANK_REGISTRANTS]: definition },
    // without registrants there is nothing to find, and a search through all holders is work
    needs: [REGISTRANTS],
    fill: [`INSERT INTO ${BANK_REGISTRANTS} ${rowsSql}`],
  },
  {
    name: REGISTRANT_DIRECTORY,
    makes: {
      [REGISTRANT_DIRECTORY]: `(${columns.map(([name, column]) => `${name} ${columnType(column)}`).join(', ')}, institution Nullable(UInt32), banks Array(UInt32)) ENGINE = MergeTree ORDER BY cik`,
    },
    needs: [REGISTRANTS],
    fill: [
      `INSERT INTO ${REGISTRANT_DIRECTORY} (${columns.map(([name]) => name).join(', ')}, institution, banks) SELECT ${columns.map(([name]) => name).join(', ')}, institution, banks FROM (${directorySql})`,
    ],
  },
]

/**
 * Makes both tables after links and entities. In `bank_registrants` several registrants of one institution, such as one before
 * and one after a reorganisation, are several rows.
 */
export const writeRegistrants = (making: Making): Promise<unknown> => makeSteps(making, steps)

/** Changes when what makes the tables does. */
export const registrantsHash: string = hashOf(steps)
