import {
  code,
  flag,
  oldDay,
  optional,
  orBlank,
  orNull,
  ref,
  type SourceColumn,
  upper,
  whole,
  words,
} from './columns.ts'
import { csv } from './declare.ts'
import { byQuarter } from './fetch.ts'
import { itemSource } from './items.ts'

const NO_DATE = ['12/30/1899', '12/30/1899 0:00:00', '1/1/1900', '1/1/1900 0:00:00']
const text = (headings: string, label: string, doc?: string) =>
  orBlank(words(headings, { label, ...(doc && { doc }) }))
const date = (heading: string, label: string) => orNull({ ...oldDay(heading, { label }), absent: NO_DATE })

/** Where a branch or an ATM is; `site` is NCUA's number of it. */
const place: Readonly<Record<string, SourceColumn>> = {
  site_id: whole('SiteId', { label: 'Site', doc: "NCUA's number of the site." }),
  name: text('SiteName', 'Name'),
  type: text('SiteTypeName', 'Type', 'Corporate office, branch office or other.'),
  address: text('PhysicalAddressLine1', 'Address'),
  address_2: text('PhysicalAddressLine2', 'Address, second line'),
  city: text('PhysicalAddressCity', 'City'),
  state: orBlank(
    upper(code('PhysicalAddressStateCode', { label: 'State', doc: 'USPS code; blank abroad.' })),
  ),
  zip: text('PhysicalAddressPostalCode', 'ZIP code'),
  county: text('PhysicalAddressCountyName', 'County'),
  country: text('PhysicalAddressCountry', 'Country'),
}

/** A count, a day or an answer of yes or no, by the words that NCUA describes an account with. */
const NUMBER =
  /\bnumbers?\b|\bweighted average yrs\b|^loans granted year-to-date$|\bindicator\b|\(yes|^(is|are|do|does|have|has|did|if)\b.*\?/i
const COUNTED = /^(report the )?number of\b/i
const CHOSEN = /^indicate\b|\belection to opt\b/i
const RATE = /\binterest rate (of|on|for)\b|\bratio$|^rate\b|\bcurrent rate\b/i
const DATED = /\beffective date\b/i

export default itemSource({
  key: 'ncua-5300',
  name: 'NCUA 5300 Call Reports',
  publisher: 'National Credit Union Administration',
  licence: 'Public domain (work of the United States government)',
  address: 'https://ncua.gov/analysis/credit-union-corporate-call-report-data/quarterly-data',
  what: 'Every account that every credit union reports each quarter (form 5300), with its branches, ATMs and trade names.',
  howToGet: `Download a quarter's zip (call-report-data-YYYY-MM.zip) from
https://ncua.gov/analysis/credit-union-corporate-call-report-data/quarterly-data,
then: npm run load -- ncua-5300 FOLDER`,
  fetch: {
    base: 'https://ncua.gov/files/publications/analysis',
    addresses: (asked) =>
      byQuarter(asked, '2016Q1', ({ year, end }) => {
        const name = `call-report-data-${year}-${end.slice(5, 7)}.zip`
        return { name, path: `/${name}` }
      }),
  },
  entity: 'credit_union',
  id: { heading: 'CU_NUMBER', column: 'cu_number', called: 'charter number' },
  date: /^CYCLE_?DATE$/,
  form: csv({ endsLines: true }),
  archive: /^call-report-data-(?<date>\d{4}-\d{2})\.zip$/i,
  others: /^(foicudes|acct-?desc-?(grants|tradenames)|grants|report ?1|read ?me)\.txt$/i,
  called: {
    edition: 'a 5300 quarter',
    expected:
      'expected call-report-data-YYYY-MM.zip, or its files: FOICU.txt, FS220.txt and its parts, AcctDesc.txt, Credit Union Branch Information.txt, ATM Locations.txt, TradeNames.txt',
  },
  filers: {
    table: 'credit_union_filers',
    doc: 'A credit union that filed for the quarter.',
    member: /^foicu\.txt$/i,
    called: 'FOICU',
    file: 'FOICU.txt, which says who filed,',
    columns: {
      rssd_id: optional(ref('institution', 'RSSD', { label: 'RSSD ID', absent: ['0'] })),
      charter_type: code('CU_TYPE', {
        doc: '1 federal; 2 state, insured by NCUA; 3 state, not insured by NCUA.',
      }),
      legal_name: words('CU_NAME'),
      address: text('STREET', 'Street'),
      city: text('CITY', 'City'),
      state: orBlank(upper(code('STATE'))),
      zip: text('ZIP_CODE', 'ZIP code'),
      charter_state: orBlank(upper(code('CharterState'))),
      region: orBlank(code('REGION')),
      year_opened: optional(whole('YEAR_OPENED', { absent: ['0'] })),
      field_of_membership: orBlank(code('TOM_CODE')),
      low_income: optional(flag('LIMITED_INC')),
      minority: optional(flag('IsMDI')),
      chartered: date('ISSUE_DATE', 'Chartered'),
      insured: date('INSURED_DATE', 'Insured'),
      peer_group: optional(whole('Peer_Group', { absent: ['0'] })),
    },
  },
  items: {
    table: 'credit_union_items',
    doc: 'An account that a credit union reported. Amounts in thousands of US dollars, rates in percent.',
    member: /^fs220\w?\.txt$/i,
    called: 'file',
    code: 'account',
    part: 'part',
    // FS220D has columns of names and telephones beside its accounts
    heading: /^\w+$/,
    expected: 'an account such as ACCT_010',
    besides: ['CYCLE_DATE', 'JOIN_NUMBER', 'UPDATE_DATE', 'USER_ID'],
    absent: NO_DATE,
    kinds: { money: 1 / 1000, rate: 1 / 100, number: 1, text: null },
    kind(account, described) {
      if (!described) return /^ACCT_/.test(account) ? 'money' : 'text'
      const { name, description } = described as Record<string, string>
      if (DATED.test(name!)) return 'text'
      if (NUMBER.test(name!) || COUNTED.test(description!) || CHOSEN.test(name!)) return 'number'
      return RATE.test(name!) ? 'rate' : 'money'
    },
  },
  descriptions: {
    table: 'credit_union_accounts',
    doc: 'An account as NCUA describes it for the quarter.',
    member: /^acctdesc\.txt$/i,
    columns: {
      account: upper(words('Account')),
      part: upper(code('TableName')),
      name: words('AcctName'),
      description: orBlank(words('AcctDesc')),
    },
  },
  lists: {
    credit_union_branches: {
      doc: 'An office of a credit union.',
      member: /^credit union branch information\.txt$/i,
      file: 'Credit Union Branch Information.txt',
      since: '2019-06-30',
      columns: {
        ...place,
        main_office: optional(flag('MainOffice', { label: 'Main office' })),
        phone: text('PhoneNumber', 'Telephone'),
      },
      unique: ['site_id'],
    },
    credit_union_atms: {
      doc: 'An automated teller machine of a credit union.',
      member: /^atm( locations)?\.txt$/i,
      file: 'ATM Locations.txt',
      since: '2019-06-30',
      columns: { ...place, service: text('SiteFunctionName', 'Service') },
      unique: ['site_id'],
    },
    credit_union_trade_names: {
      doc: 'Another name that a credit union trades under.',
      member: /^trade ?names\.txt$/i,
      file: 'TradeNames.txt',
      since: '2019-06-30',
      columns: { trade_name_id: whole('TradeNamesId'), trade_name: words('TradeName') },
      unique: ['trade_name_id'],
    },
  },
})
