/** The demo's credit unions: statements that make them and file what they report. */
import { readFileSync } from 'node:fs'
import { quotedList } from '../../quoted.ts'
import { metrics } from '../../universes/credit-union/metrics/index.ts'
import type { DemoKind } from '../kind.ts'

const step = (name: string) => readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8')

/** Accounts by the file of the 5300 that they stand in, each with its value as an expression over a filing. */
const accounts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  FS220: {
    ...{ '007': 'round(fixed_assets * 0.8)', '008': 'fixed_assets - round(fixed_assets * 0.8)' },
    ...{ '010': 'total_assets', '018': 'total_shares', '020B': 'round(delinquent * 1.3)' },
    ...{ '021B': 'round(delinquent * 0.35)', '022B': 'round(delinquent * 0.22)' },
    '023B': 'delinquent - round(delinquent * 0.25) - round(delinquent * 0.35) - round(delinquent * 0.22)',
    ...{
      '025A': 'number_of_loans',
      '025B': 'total_loans',
      '031B': 'round(total_loans * 0.38 * part_of_year)',
    },
    ...{ '041B': 'delinquent', '083': 'members', '084': 'potential_members', '340': 'borrowing_expense' },
    ...{ '380': 'dividends', '550': 'arraySum(lost)', '551': 'arraySum(back)', '630': 'shares[6]' },
    ...{ '657': 'shares[2]', '671': 'arraySum(expenses)', '794': 'ncusif', '860C': 'borrowings' },
    ...{ '880': 'shares[7]', '902': 'shares[1]', '908C': 'shares[4]', '911': 'shares[3]' },
  },
  FS220A: {
    ...{ '002': 'loans[7]', '110': 'loan_income', '115': 'loan_income + investment_income' },
    ...{ '117': 'fees + other_income', '120': 'investment_income', '131': 'fees', '210': 'expenses[1]' },
    ...{ '250': 'expenses[2]', '260': 'expenses[3]', '270': 'expenses[4]', '280': 'expenses[5]' },
    ...{ '290': 'expenses[6]', '350': 'dividends + borrowing_expense', '370': 'loans[6]', '385': 'loans[5]' },
    ...{ '396': 'loans[1]', '397': 'loans[2]', '564A': 'full_time', '564B': 'part_time' },
    ...{ '730A': 'round(cash * 0.15)', '730B': 'cash - round(cash * 0.15)' },
    '618A': 'round((loans[5] + loans[6]) * 0.55)',
    '661A':
      'loan_income + investment_income - dividends - borrowing_expense - provision + fees + other_income - arraySum(expenses)',
    ...{ '798A': 'round(delinquent * 0.06)', '997': 'net_worth' },
  },
  FS220B: {
    ...{ '045B': 'late[1]', '068A': 'round(total_shares * 0.06)', '680': 'lost[1]', '681': 'back[1]' },
    ...{ '069A': 'total_shares - round(total_shares * 0.06)', '801': 'investments[2] + unrealized_htm' },
    ...{ '906C': 'shares[5]', '971': 'round(delinquent * 0.3)' },
  },
  FS220C: { '003': 'round(loans[9] * 0.005)', '788': 'round(shares[7] * 0.7)' },
  FS220G: { '691L': 'round(total_loans * 0.03)', '851': 'round(total_assets * 0.001)' },
  FS220H: {
    ...{ '1001F': 'round(delinquent * 0.6)', '397A': 'loans[3]', '698A': 'loans[4]' },
    '816A': 'round(total_loans * 0.22)',
  },
  FS220I: {
    ...{ '041C1': 'late[5]', '041C2': 'late[6]', '550C1': 'lost[5]', '550C2': 'lost[6]' },
    ...{ '551C1': 'back[5]', '551C2': 'back[6]' },
  },
  FS220L: {
    ...{ '386A': 'loans[10]', '386B': 'loans[11]', '400P': 'loans[13]', '698C': 'loans[8]' },
    ...{ '703A': 'loans[9]', '718A5': 'loans[12]' },
  },
  FS220N: {
    ...{
      AS0048: 'allowance',
      AS0067: 'investments[3] + unrealized_afs',
      AS0073: 'investments[2]',
      AS0055: '0',
    },
    ...{ EQ0009: 'unrealized_afs', IS0017: 'provision', IS0020: 'other_income' },
    ...{ LI0069: 'total_liabilities', NW0010: 'total_assets' },
  },
  FS220P: {
    ...{
      AS0007: 'investments[1]',
      AS0008: '0',
      AS0017: 'investments[4]',
      DL0141: 'round(delinquent * 0.25)',
    },
    AS0013: 'investments[2] + investments[3] + unrealized_afs',
    ...{ AS0036: 'ncusif + other_assets', CH0007: 'lost[2]', CH0008: 'back[2]', CH0015: 'lost[8]' },
    ...{ CH0016: 'back[8]', CH0017: 'lost[9]', CH0018: 'back[9]', CH0019: 'lost[10]', CH0020: 'back[10]' },
    ...{ CH0031: 'lost[12]', CH0032: 'back[12]', CH0035: 'lost[13]', CH0036: 'back[13]' },
    ...{ DL0027: 'late[2]', DL0055: 'late[8]', DL0062: 'late[9]', DL0069: 'late[10]' },
    ...{ DL0111: 'late[12]', DL0125: 'late[13]' },
  },
  FS220Q: {
    NV0153: 'round((liquid - cash) * 0.3)',
    ...{ NV0155: 'round((liquid - cash) * 0.2)', NV0156: 'round((liquid - cash) * 0.08)' },
    NV0157: 'round((liquid - cash) * 0.02)',
  },
}

/** In the order of the table, so that the engine does not have to sort. */
const items = Object.entries(accounts)
  .flatMap(([part, values]) =>
    Object.entries(values).map(([account, value]) => ({ part, account: `ACCT_${account}`, value })),
  )
  .sort((a, b) => (a.account < b.account ? -1 : 1))

/** What the accounts that are a metric by themselves are called. NCUA describes each. */
const called = new Map(
  metrics.flatMap(({ formula, label }) => {
    const [, account] = /^cc:(ACCT_\w+)\[P0\]$/.exec(formula) ?? []
    return account ? [[account, label]] : []
  }),
)
const named = items.filter(({ account }) => called.has(account))

const descriptions = `
INSERT INTO credit_union_accounts (report_date, account, part, name, description)
SELECT {last:Date}, account, part, name, ''
FROM (SELECT 1)
ARRAY JOIN
    ${quotedList(named.map(({ account }) => account))} AS account,
    ${quotedList(named.map(({ part }) => part))} AS part,
    ${quotedList(named.map(({ account }) => called.get(account)!))} AS name`

const filers = `
INSERT INTO credit_union_filers (report_date, cu_number, charter_type, legal_name, address, city, state, zip, charter_state,
  year_opened, field_of_membership, low_income, minority, chartered, peer_group)
SELECT f.report_date, c.cu_number, c.charter_type, c.legal_name, c.address, c.city, c.state, c.zip, c.state, c.year_opened,
  if(c.charter_type = '2', '99', ['00', '34', '36', '06', '01'][1 + c.h % 5]), c.low_income, c.minority,
  concat(toString(c.year_opened), '-0', toString(1 + c.h % 9), '-15'),
  multiIf(f.total_assets < 2000, 1, f.total_assets < 10000, 2, f.total_assets < 50000, 3, f.total_assets < 100000, 4, f.total_assets < 500000, 5, 6)
FROM demo_credit_union_filings AS f INNER JOIN demo_credit_unions AS c ON c.cu_number = f.cu_number`

const reported = `
INSERT INTO credit_union_items (report_date, cu_number, account, part, value, text)
SELECT report_date, cu_number, account, part, value, NULL
FROM (SELECT * FROM demo_credit_union_filings ORDER BY report_date, cu_number)
ARRAY JOIN
    CAST(${quotedList(items.map(({ account }) => account))}, 'Array(LowCardinality(String))') AS account,
    CAST(${quotedList(items.map(({ part }) => part))}, 'Array(LowCardinality(String))') AS part,
    CAST([${items.map(({ value }) => value).join(', ')}], 'Array(Float64)') AS value`

/** Offices and machines, in the last quarter of each year and the latest: an office for every 120 million dollars. */
const places = (table: string, columns: string, values: string, count: string) => `
INSERT INTO ${table} (report_date, cu_number, site_id, name, type, address, address_2, city, state, zip, county, country, ${columns})
SELECT f.report_date, c.cu_number, toUInt32(c.i * 1000 + site), if(site = 0, 'Main office', concat(street, ' branch')),
  if(site = 0, 'Corporate Office', 'Branch Office'), concat(toString(1 + (c.h + site * 37) % 999), ' ', street), '', c.city, c.state, c.zip, c.county, 'United States', ${values}
FROM demo_credit_union_filings AS f INNER JOIN demo_credit_unions AS c ON c.cu_number = f.cu_number
ARRAY JOIN range(toUInt32(least(${count}, 400))) AS site,
  arrayMap(n -> ['Main Street', 'Market Street', 'Depot Road', 'Mill Lane', 'Union Avenue', 'Church Street', 'River Road'][1 + (c.h + n) % 7], range(toUInt32(least(${count}, 400)))) AS street
WHERE toMonth(f.report_date) = 12 OR f.report_date = {last:Date}`

export const demoCreditUnions: DemoKind = {
  entity: 'credit_union',
  statements: [
    step('institutions'),
    step('filings'),
    filers,
    reported,
    descriptions,
    places(
      'credit_union_branches',
      'main_office, phone',
      "site = 0, ''",
      '1 + toUInt32(f.total_assets / 120000)',
    ),
    places('credit_union_atms', 'service', "'ATM'", '1 + toUInt32(f.total_assets / 90000)'),
    `INSERT INTO credit_union_trade_names
     SELECT f.report_date, c.cu_number, c.i, concat(splitByChar(' ', c.legal_name)[1], 'CU')
     FROM demo_credit_union_filings AS f INNER JOIN demo_credit_unions AS c ON c.cu_number = f.cu_number
     WHERE f.report_date = {last:Date} AND c.h % 4 = 0`,
    'DROP TABLE demo_credit_union_filings',
    'DROP TABLE demo_credit_unions',
  ],
}
