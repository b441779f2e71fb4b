/** What registrants file, in the orders and grains in which it is read. */
import { hashOf } from '../hash.ts'
import { REGISTRANT_DIRECTORY } from '../registrants/index.ts'
import { INSTANT } from '../sources/columns.ts'
import { FILINGS } from '../sources/sec-filings.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'

/** Items of Form 8-K in the order of time, each with its registrant and the institution that this is. */
export const EVENT_FEED = 'sec_event_feed'

/** Totals by day and item are added up of the projection instead of read. */
const definition = `(
    cik UInt32,
    accession_number String,
    form LowCardinality(String),
    filed_date Date32,
    report_date Nullable(Date32),
    accepted Nullable(${INSTANT}),
    primary_document Nullable(String),
    item String,
    registrant String,
    rssd_id Nullable(UInt32),
    PROJECTION by_day (SELECT filed_date, item, count() GROUP BY filed_date, item)
) ENGINE = MergeTree ORDER BY (filed_date, accession_number, cik) SETTINGS index_granularity = 1024`

const ofFiling =
  'cik, accession_number, form, filed_date, report_date, accepted, primary_document, item'.split(', ')
const eventsSql = `
SELECT ${ofFiling.map((name) => `f.${name} AS ${name}`).join(', ')}, r.name AS registrant, r.institution AS rssd_id
FROM (SELECT * EXCEPT items, item FROM ${FILINGS} ARRAY JOIN items AS item WHERE startsWith(form, '8-K')) AS f
LEFT ANY JOIN (SELECT cik AS known, name, institution FROM ${REGISTRANT_DIRECTORY}) AS r ON r.known = f.cik`

const steps: readonly Step[] = [
  {
    name: EVENT_FEED,
    makes: { [EVENT_FEED]: definition },
    needs: [FILINGS],
    fill: [`INSERT INTO ${EVENT_FEED} (${ofFiling.join(', ')}, registrant, rssd_id) ${eventsSql}`],
  },
]

/** Makes the table, after the directory of registrants. */
export const writeFilings = (making: Making): Promise<unknown> => makeSteps(making, steps)

/** Changes when what makes the table does. */
export const filingsHash: string = hashOf(steps)
