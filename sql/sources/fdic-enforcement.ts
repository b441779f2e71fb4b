import { CERTIFICATE } from '../entities/link.ts'
import { day, hidden, optional, orBlank, words } from './columns.ts'
import { csv, source } from './declare.ts'
import { ENFORCEMENT, enforcementTable, stateOf } from './enforcement.ts'

const text = (headings: string) => hidden(orBlank(words(headings, { absent: ['N/A'] })))

const raw = {
  docket: text('Docket Number'),
  title: text('Order Title'),
  category: text('Category'),
  action: hidden(words('Action Type')),
  issued: hidden(day('Issued Date')),
  terminated: hidden(optional(day('Termination Date'), 'N/A')),
  respondents: text('Respondent'),
  bank: text('Bank Name'),
  town: text('Bank City'),
  place: text('Bank State'),
  certs: text('Cert Number'),
  amounts: text('CMP Amount'),
  file: text('File URL'),
}

/** Cells have one value for each whom the order names, divided by semicolons: masked, redacted and N/A ones say nothing. */
const said = (cell: string) =>
  `arrayFilter(one -> NOT match(one, '^([*]*|(?i:n/a|redacted))$'), arrayMap(one -> trimBoth(one), splitByChar(';', assumeNotNull(${cell}))))`

export default source({
  key: 'fdic-enforcement',
  name: 'FDIC enforcement decisions and orders',
  publisher: 'Federal Deposit Insurance Corporation',
  licence: 'Public domain (work of the United States government)',
  address: 'https://orders.fdic.gov/s/searchform',
  what: 'Orders, notices and decisions of the FDIC since 1975, against institutions and persons.',
  howToGet: `Press "Download All" at https://orders.fdic.gov/s/searchform (a page that no script can ask simply),
then: npm run load -- fdic-enforcement EDOOrders.csv`,
  tables: {
    [ENFORCEMENT]: {
      ...enforcementTable('FDIC', raw, {
        id: `lower(hex(sipHash64(docket, title, action, issued, respondents, bank, file)))`,
        number: `nullIf(docket, '')`,
        agencyType: 'action',
        types: `concat(title, '; ', action)`,
        institution: `nullIf(arrayStringConcat(${said('bank')}, '; '), '')`,
        parties: `if(empty(${said('bank')}), [], [(${said('bank')}[1], ${said('town')}[1], ${stateOf(`${said('place')}[1]`)},
          if(empty(${said('certs')}), '', concat('${CERTIFICATE} ', ${said('certs')}[1])))])`,
        persons: `arrayFilter(one -> NOT has(${said('bank')}, one), ${said('respondents')})`,
        start: 'issued',
        end: 'terminated',
        penalty: `nullIf(arraySum(arrayMap(one -> toFloat64OrZero(replaceRegexpAll(one, '[$,]', '')), ${said('amounts')})), 0) / 1000`,
        documents: said('file'),
        subjects: '[]::Array(String)',
        note: `nullIf(title, '')`,
      }),
      form: csv(),
    },
  },
})
