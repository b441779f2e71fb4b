/** Facts of the demo's registrants: what their banks filed, and the debt of the parent that FR Y-9C of the demo has too. */

/** Concepts of balance sheets, and of income statements (year to date), in thousands, over sums of a registrant's banks. */
const instants: Readonly<Record<string, string>> = {
  Assets: 'assets',
  Liabilities: 'assets - equity + debt',
  StockholdersEquity: 'equity - debt',
  Deposits: 'deposits',
}
const flows: Readonly<Record<string, string>> = {
  InterestAndDividendIncomeOperating: 'interest_income',
  InterestExpense: 'interest_expense + interest',
  NoninterestIncome: 'noninterest_income',
  NoninterestExpense: 'noninterest_expense',
  NetIncomeLoss: 'net_income - 0.79 * interest',
}

const list = (concepts: Readonly<Record<string, string>>) =>
  `[${Object.entries(concepts)
    .map(([name, amount]) => `('${name}', round(${amount}))`)
    .join(', ')}]`

/** The last five years. Each figure is told again by the filings that compare with it. */
export const secFactsDemo = `
SELECT cik, 'us-gaap' AS taxonomy, fact.1 AS concept, 'USD' AS unit, fact.2 AS start_date, fact.3 AS end_date,
  1000 * if(concept = 'NoninterestExpense' AND cik % 7 = 0 AND told > addDays(end_date, 300), round(1.01 * fact.4), fact.4) AS value,
  toUInt16(toYear(told)) AS fiscal_year, if(toMonth(told) = 12, 'FY', concat('Q', toString(toQuarter(told)))) AS fiscal_period,
  if(fiscal_period = 'FY', '10-K', '10-Q') AS form, toDate32(filing.filed_date) AS filed_date, filing.accession_number AS accession_number,
  toUInt16(if(start_date IS NULL, 0, dateDiff('day', assumeNotNull(start_date), end_date) + 1)) AS days,
  concat('CY', toString(toYear(end_date)), if(days > 300, '', concat('Q', toString(toQuarter(end_date)))), if(days = 0, 'I', '')) AS frame
FROM (
  SELECT cik, fact, toDate32(toLastDayOfMonth(addMonths(until, arrayJoin(fact.5)))) AS told FROM (
  SELECT cik, report_date, toMonth(report_date) AS m, makeDate32(toYear(report_date), 1, 1) AS january, toDate32(report_date) AS until,
    addDays(addMonths(january, m - 3), 0) AS quarter,
    ${list(instants)} AS stocks, ${list(flows)} AS ytd,
    if(m = 3, ytd, arrayMap((a, b) -> (a.1, a.2 - b.2), ytd, lagInFrame(ytd, 1, ytd) OVER (PARTITION BY cik ORDER BY report_date ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))) AS own,
    arrayConcat(
      arrayMap(one -> (one.1, CAST(NULL, 'Nullable(Date32)'), until, one.2, if(m = 12, [0, 3, 6, 9, 12], [0])), stocks),
      if(m = 12 OR since > addMonths(until, -3), [], arrayMap(one -> (one.1, toNullable(quarter), until, one.2, [0, 12]), own)),
      if(m = 3, [], arrayMap(one -> (one.1, toNullable(january), until, one.2, if(m = 12, [0, 12, 24], [0, 12])), ytd))) AS all
  FROM (
    SELECT toUInt32(1800000000 + coalesce(b.holding_company_rssd_id, b.rssd_id)) AS cik, f.report_date AS report_date,
      (SELECT min(report_date) FROM demo_filings WHERE report_date > addMonths({last:Date}, -60)) AS since,
      if(any(b.holding_company_rssd_id) IS NULL, 0, (cityHash64(any(b.holding_company_rssd_id), 'debt') % 1000) / 4000) AS share,
      sum(f.total_assets) AS assets, sum(f.total_equity) AS equity, share * equity AS debt, debt * 0.05 * toMonth(report_date) / 12 AS interest,
      sum(f.domestic_deposits + f.foreign_deposits) AS deposits, sum(f.f_interest_income) AS interest_income, sum(f.f_interest_expense) AS interest_expense,
      sum(f.f_noninterest_income) AS noninterest_income, sum(f.f_noninterest_expense) AS noninterest_expense, sum(f.f_net_income) AS net_income
    FROM demo_filings AS f INNER JOIN demo_banks AS b ON b.rssd_id = f.rssd_id
    WHERE cik IN (SELECT cik FROM sec_registrants) AND f.report_date > addMonths({last:Date}, -60)
    GROUP BY cik, report_date
  )
  ) ARRAY JOIN all AS fact
) AS told_facts
INNER JOIN (
  SELECT cik AS filer, toDate32(assumeNotNull(report_date)) AS reported, accession_number, filed_date FROM sec_filings WHERE form IN ('10-K', '10-Q')
) AS filing ON filing.filer = told_facts.cik AND filing.reported = told_facts.told`
