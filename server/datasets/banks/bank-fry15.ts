import { indicators, mostOfSubstitutability, shortTermFunding } from '../../../sql/gsib.ts'
import { code, figure, id, money, reportDate, rssdId, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, window } from '../../catalog/parameters.ts'

/** Whoever holds the bank, by the newest quarter of its own that is not after the report. */
const ofBank = `
SELECT f.report_date AS report_date, f.rssd_id AS holder, f.legal_name AS legal_name
FROM (SELECT 1 AS one, * FROM fry15_filers) AS f
ASOF INNER JOIN (SELECT 1 AS one, report_date FROM bank_rows WHERE rssd_id = {rssd_id:UInt32}) AS q
  ON q.one = f.one AND f.report_date >= q.report_date
INNER JOIN (SELECT report_date, holding_company_rssd_id FROM holding_company_banks WHERE rssd_id = {rssd_id:UInt32}) AS h
  ON h.report_date = q.report_date AND h.holding_company_rssd_id = f.rssd_id`

// a filer fills in one of the three series, and may leave zeros in the others
const value = (item: string) => {
  const series = ['RISK', 'RISI', 'RISO'].map((one) => `values['${one}${item}']`)
  return `coalesce(${[...series.map((one) => `nullIf(${one}, 0)`), ...series].join(', ')})`
}

const filled = (series: string) =>
  `arrayExists((code, amount) -> startsWith(code, '${series}') AND ifNull(amount, 0) != 0, mapKeys(values), mapValues(values))`

const points = (area: (one: (typeof indicators)[number]) => boolean) =>
  indicators
    .filter(area)
    .map(({ key, weight, item }) => `${weight} * 100 * ${key} / nullIf(denominators['${item}'], 0)`)
    .join(' + ')

/** In thousands: a coefficient is of points for $100 billion, which are 10^8 thousands. */
const method2 = indicators
  .filter(({ coefficient }) => coefficient > 0)
  .map(({ key, coefficient }) => `${coefficient} * ${key} / 1e8`)
  .join(' + ')

export default dataset({
  key: 'bank-fry15',
  summary:
    'Indicators of systemic importance (FR Y-15) of the holding company of one bank, with the two G-SIB scores, oldest first.',
  notes: `Reported by the holding company in the panel that holds the bank (the largest organisations, of $100 billion and more); any other bank is 404. \`series\` says which population it is: RISK a holding company at the top, RISI the intermediate one of a foreign bank, RISO a foreign bank. Method 1 (12 CFR 217.404) divides each indicator by its sum over the world’s largest banks and is null where that year’s sums are not loaded (\`gsib-denominators\`); substitutability counts ${mostOfSubstitutability} points at most. Method 2 (12 CFR 217.405) has fixed coefficients and adds ${shortTermFunding.factor} times average risk-weighted short-term wholesale funding to risk-weighted assets of the holder’s FR Y-9C (those of the quarter: the rule takes their average); both parts are needed. Scores are worked out here from what was filed; the Federal Reserve publishes none by holder. No file of the National Information Center was at hand when this was made: the reader follows the names of items that it documents.`,
  from: `
SELECT *,
  ${points(({ area }) => area !== 'substitutability')} + least(${mostOfSubstitutability}, ${points(({ area }) => area === 'substitutability')}) AS method1_score,
  ${method2} AS method2_indicators,
  ${shortTermFunding.factor} * ${shortTermFunding.key} / nullIf(risk_weighted_assets, 0) AS method2_funding,
  method2_indicators + method2_funding AS method2_score
FROM (
  SELECT {rssd_id:UInt32} AS rssd_id, o.report_date AS report_date, o.holder AS holding_company_rssd_id, o.legal_name AS holding_company_name,
    i.values AS values, multiIf(${filled('RISK')}, 'RISK', ${filled('RISI')}, 'RISI', 'RISO') AS series,
    d.amounts AS denominators, r.risk_weighted_assets AS risk_weighted_assets,
    ${[...indicators, shortTermFunding].map(({ key, item }) => `${value(item)} AS ${key}`).join(',\n    ')}
  FROM (${ofBank}) AS o
  INNER JOIN (
    SELECT report_date, rssd_id, CAST((groupArray(toString(mdrm)), groupArray(toNullable(assumeNotNull(value)))), 'Map(String, Nullable(Float64))') AS values
    FROM fry15_items WHERE value IS NOT NULL GROUP BY report_date, rssd_id
  ) AS i ON i.report_date = o.report_date AND i.rssd_id = o.holder
  LEFT JOIN (
    SELECT toUInt16(year) AS year, CAST((groupArray(indicator), groupArray(toNullable(amount))), 'Map(String, Nullable(Float64))') AS amounts
    FROM gsib_denominators GROUP BY year
  ) AS d ON d.year = toYear(o.report_date)
  LEFT JOIN (SELECT report_date, rssd_id, risk_weighted_assets FROM holding_company_quarters) AS r
    ON r.report_date = o.report_date AND r.rssd_id = o.holder
)`,
  grain: ['rssd_id', 'holding_company_rssd_id', 'report_date'],
  order: ['report_date'],
  parameters: { rssd_id: bank(), ...window() },
  time: { kind: 'quarter', column: 'report_date' },
  columns: [
    rssdId,
    reportDate,
    id('holding_company_rssd_id', 'Holding company RSSD ID', { doc: 'Who filed.' }),
    text('holding_company_name', 'Holding company'),
    code('series', 'Series', { doc: 'RISK, RISI or RISO: which population.' }),
    ...indicators.map(({ key, label, item, area }) =>
      money(key, label, { doc: `${area[0]!.toUpperCase()}${area.slice(1)}; item ${item}.` }),
    ),
    money(shortTermFunding.key, 'Average risk-weighted short-term wholesale funding', {
      doc: `Item ${shortTermFunding.item}.`,
    }),
    figure('method1_score', 'Method 1 score', { unit: 'basis points' }),
    figure('method2_indicators', 'Method 2: points of the indicators', { unit: 'points' }),
    figure('method2_funding', 'Method 2: points of short-term wholesale funding', { unit: 'points' }),
    figure('method2_score', 'Method 2 score', { unit: 'points' }),
  ],
  steps: [
    {
      needs: `SELECT 1 FROM (${ofBank}) LIMIT 1`,
      otherwise:
        'no holding company of this bank is in the panel of FR Y-15 that is loaded: organisations of $100 billion and more file it',
      binds: {},
    },
  ],
  sources: ['fr-y-15', 'gsib-denominators', 'fr-y-9c', 'fdic-institutions', 'nic-relationships'],
  examples: [
    { title: 'All reports', expect: { least: 1 } },
    {
      title: 'Scores',
      query: 'fields=rssd_id,report_date,method1_score,method2_score',
      expect: { least: 1, columns: ['rssd_id', 'report_date', 'method1_score', 'method2_score'] },
    },
  ],
})
