/** The table of registrants, as EDGAR's submissions tell of each before its filings. */
import { EIN, LEI } from '../entities/link.ts'
import { bareName } from '../entities/names.ts'
import { quotedAll } from '../quoted.ts'
import { code, computed, digits, hidden, list, optional, orBlank, upper, whole, words } from './columns.ts'
import type { TableDeclaration } from './declare.ts'
import { bankSics } from './sec.ts'

export const REGISTRANTS = 'sec_registrants'

const said = (heading: string, label: string, doc?: string) =>
  optional(words(heading, { label, ...(doc !== undefined && { doc }) }))

/**
 * SQL of a registrant's name without the state or the word that EDGAR puts behind it to tell it from its namesakes:
 * `KEYCORP /NEW/`, `FNB CORP/PA/`, `UNITED BANKSHARES INC/WV`, `US BANCORP \DE\`.
 */
export const registrantName = (text: string): string =>
  `trimBoth(replaceRegexpOne(${text}, '\\\\s*[/\\\\\\\\]\\\\s*[A-Za-z]{2,5}\\\\s*[/\\\\\\\\]?\\\\s*$', ''))`

const numbers = `arrayConcat(if(ein IS NULL, [], [concat('${EIN} ', assumeNotNull(ein))]), if(lei IS NULL, [], [concat('${LEI} ', assumeNotNull(lei))]))`

const link = {
  own: 'toString(cik)',
  numbers,
  name: registrantName('name'),
  city: `ifNull(city, '')`,
  state: `ifNull(state, '')`,
  former: `arrayMap(one -> ${registrantName('one.1')}, former_names)`,
}

/** Banks and holders whose industry EDGAR calls another: by what NIC and FDIC know of them, a name within a state. */
const known = (column: string) =>
  `SELECT ${column} FROM nic_institutions WHERE charter_type IN (200, 250, 300, 310, 320, 340, 500)`
const keep = `ifNull(sic, '') IN (${quotedAll(Object.keys(bankSics))})
  OR ifNull(ein, '') IN (${known('tax_id')} AND tax_id IS NOT NULL) OR ifNull(lei, '') IN (${known('lei')} AND lei IS NOT NULL)
  OR (${bareName(registrantName('name'))}, ifNull(toString(state), '')) IN (
    ${known(`${bareName('legal_name')}, ifNull(toString(state), '')`)} AND legal_name != ''
    UNION ALL SELECT ${bareName('assumeNotNull(holding_company_name)')}, toString(state) FROM fdic_institutions WHERE holding_company_name IS NOT NULL)`

export const registrants: TableDeclaration = {
  doc: 'A registrant: a bank, or whoever holds one.',
  columns: {
    cik: whole('cik', { label: 'CIK', doc: 'Central Index Key: EDGAR’s number of the registrant.' }),
    name: words('name', { label: 'Name' }),
    entity_type: optional(code('entityType', { label: 'Kind', doc: '`operating`, or other.' })),
    sic: optional(
      code('sic', { label: 'SIC', doc: 'Standard industrial classification that the SEC reviews it by.' }),
    ),
    sic_description: optional(code('sicDescription', { label: 'Industry' })),
    owner_org: optional(code('ownerOrg', { label: 'Office of the SEC' })),
    ein: optional(digits('ein', 9, { label: 'EIN', doc: 'Tax number.', absent: ['000000000'] })),
    lei: said('lei', 'Legal entity identifier'),
    category: optional(
      code('category', { label: 'Filer category', doc: 'By public float, such as large accelerated filer.' }),
    ),
    fiscal_year_end: optional(
      code('fiscalYearEnd', { label: 'Fiscal year end', doc: 'Month and day, as 1231.' }),
    ),
    state_of_incorporation: optional(
      upper(code('stateOfIncorporation', { label: 'State of incorporation', doc: 'EDGAR’s code.' })),
    ),
    street: said('business street1', 'Street', 'Of the business address.'),
    street_2: said('business street2', 'Street, second line'),
    city: said('business city', 'City'),
    state: optional(
      upper(
        code('business stateOrCountry', {
          label: 'State',
          doc: 'USPS code, else EDGAR’s code of a country.',
        }),
      ),
    ),
    zip: said('business zipCode', 'ZIP code'),
    phone: said('phone', 'Telephone'),
    web_address: said('website', 'Web address'),
    tickers: orBlank(list('tickers', '\\\\n', { label: 'Tickers' })),
    exchanges: orBlank(
      list('exchanges', '\\\\n', {
        label: 'Exchanges',
        doc: 'Of each ticker; `none` where EDGAR tells none.',
      }),
    ),
    former: hidden(orBlank(list('formerNames', '\\\\n'))),
    former_names: computed(
      'Array(Tuple(name String, since Nullable(Date32), until Nullable(Date32)))',
      `arrayMap(one -> (splitByChar('\\t', one)[1], toDate32OrNull(substring(splitByChar('\\t', one)[2], 1, 10)),
        toDate32OrNull(substring(splitByChar('\\t', one)[3], 1, 10))), former)`,
      { label: 'Former names' },
    ),
  },
  unique: ['cik'],
  edition: { replaces: 'upsert' },
  keep,
  link: [
    { ...link, entity: 'bank' },
    { ...link, entity: 'holding_company', as: 'holding_company_rssd_id', anywhere: true },
  ],
  // holders of the demo's banks, and large banks that nobody holds: the 300 largest
  demo: `
    SELECT toUInt32(1800000000 + key) AS cik, concat(word, if(held, [' Bancorp', ' Bancshares, Inc.', ' Financial Corporation'][1 + number % 3], ' Bank')) AS name,
      'operating' AS entity_type, if(held AND number % 3 = 0, '6021', '6022') AS sic, if(sic = '6021', 'National Commercial Banks', 'State Commercial Banks') AS sic_description,
      '02 Finance' AS owner_org, leftPad(toString(key), 9, '0') AS ein, CAST(NULL AS Nullable(String)) AS lei,
      multiIf(place <= 60, 'Large accelerated filer', place <= 160, 'Accelerated filer', 'Non-accelerated filer') AS category, '1231' AS fiscal_year_end,
      if(key % 3 = 0, state, 'DE') AS state_of_incorporation, address AS street, CAST(NULL AS Nullable(String)) AS street_2, upper(city) AS city, state, zip,
      CAST(NULL AS Nullable(String)) AS phone, CAST(NULL AS Nullable(String)) AS web_address,
      arrayConcat([upper(concat(substring(word, 1, 2), hex(number)))], if(place <= 20, [upper(concat(substring(word, 1, 2), hex(number), '-PA'))], [])) AS tickers,
      arrayMap(one -> if(place % 3 = 0, 'Nasdaq', 'NYSE'), tickers) AS exchanges,
      CAST(if(key % 4 = 0, [(upper(concat(word, ' Holdings')), makeDate32(1996, 2, 1), makeDate32(2003, 1 + number % 12, 1))], []),
        'Array(Tuple(name String, since Nullable(Date32), until Nullable(Date32)))') AS former_names
    FROM (
      SELECT coalesce(holding_company_rssd_id, rssd_id) AS key, max(holding_company_rssd_id IS NOT NULL) AS held, sum(final_assets) AS assets,
        toUInt32(argMin(n.i, n.i)) AS number, argMin(word, n.i) AS word, argMin(n.city, n.i) AS city, argMin(n.state, n.i) AS state, argMin(n.zip, n.i) AS zip,
        argMin(n.address, n.i) AS address, row_number() OVER (ORDER BY assets DESC) AS place
      FROM demo_banks AS n WHERE NOT closed GROUP BY key ORDER BY assets DESC LIMIT 300
    )`,
}
