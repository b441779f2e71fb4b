import { quotedList } from '../quoted.ts'
import { demoItems, type Form } from './items/index.ts'

/** Columns of `demo_filings` besides those that items name. */
const alwaysKept = ['report_date', 'rssd_id', 'form', 'domestic_deposits']

/** Flows by kind of loan: their year to date is summed kind by kind. */
const arrayFlows = new Set(['f_charge_offs', 'f_recoveries'])

/** What the year began with: the step that adds up the year makes them. */
const beginnings: Record<string, string> = {
  beginning_equity: 'first_value(p_total_equity) OVER ytd',
  beginning_allowance: 'first_value(p_allowance) OVER ytd',
}

/** The columns that the items' expressions name: words that no parenthesis follows, NULL apart. */
function columnsNamed(): string[] {
  const words = demoItems.flatMap((item) => item.value.match(/\b[a-z_]\w*\b(?!\s*\()/g) ?? [])
  return [...new Set([...alwaysKept, ...words])]
}

/**
 * SQL for the rows of `demo_filings`, one a filing, of a range of banks, from the query of the quarterly flows:
 * flows (`f_…`) become calendar year to date; only filed quarters and only the columns that items name are kept.
 */
export function filingsSql(flows: string): string {
  const select = columnsNamed().map((name) => {
    if (name in beginnings) return `${beginnings[name]} AS ${name}`
    if (!name.startsWith('f_')) return name
    return `${arrayFlows.has(name) ? 'sumForEach' : 'sum'}(flows.${name}) OVER ytd AS ${name}`
  })
  return `SELECT * EXCEPT (filed) FROM
(
    SELECT
        filed,
        ${select.join(',\n        ')}
    FROM
    (
${flows}
    ) AS flows
    WINDOW ytd AS (PARTITION BY rssd_id, year ORDER BY q ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
WHERE filed`
}

/**
 * SQL that files the items of one form for the quarters of a range, in the order of the primary key, so that
 * the engine does not have to sort.
 */
export function itemsSql(form: Form): string {
  const items = demoItems
    .filter((item) => item.forms.includes(form))
    .toSorted((a, b) => compare(a.mdrm, b.mdrm) || compare(a.schedule, b.schedule))
  return `INSERT INTO call_report_items
SELECT report_date, rssd_id, mdrm, schedule, value, NULL AS text
FROM (SELECT * FROM demo_filings WHERE form = '${form}' AND report_date BETWEEN {from:Date} AND {to:Date} ORDER BY report_date, rssd_id)
ARRAY JOIN
    CAST(${quotedList(items.map((item) => item.mdrm))}, 'Array(LowCardinality(String))') AS mdrm,
    CAST(${quotedList(items.map((item) => item.schedule))}, 'Array(LowCardinality(String))') AS schedule,
    CAST([${items.map((item) => item.value).join(', ')}], 'Array(Nullable(Float64))') AS value
WHERE value IS NOT NULL`
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
