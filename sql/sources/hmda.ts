import { CERTIFICATE, numbered, OCC_CHARTER } from '../entities/link.ts'
import { quotedList } from '../quoted.ts'
import {
  code,
  computed,
  decimal,
  hidden,
  optional,
  orBlank,
  orNull,
  type SourceColumn,
  small,
  whole,
  words,
} from './columns.ts'
import { csv, source, type TableDeclaration } from './declare.ts'
import { byYear } from './fetch.ts'
import { hmdaDemo, hmdaLendersDemo } from './hmda-demo.ts'
import { archivedPanel, archivedRegister, withoutHeader } from './hmda-layouts.ts'

/** What loans are for, by the codes of all layouts: until 2017 a refinancing was 3, whether cash was taken out or not. */
export const loanPurposes = {
  '1': 'home_purchase',
  '2': 'home_improvement',
  '3': 'refinancing',
  '31': 'refinancing',
  '32': 'cash_out_refinancing',
  '4': 'other',
  '5': 'not_applicable',
} as const
export const loanTypes = { '1': 'conventional', '2': 'fha', '3': 'va', '4': 'rural' } as const
/** What became of applications; 7 and 8 are of requests for a preapproval. */
export const actions = {
  '1': 'originated',
  '2': 'approved_not_accepted',
  '3': 'denied',
  '4': 'withdrawn',
  '5': 'incomplete',
  '6': 'purchased',
  '7': 'preapproval_denied',
  '8': 'preapproval_not_accepted',
} as const

const named = (column: string, names: Readonly<Record<string, string>>) =>
  `transform(${column}, [${Object.keys(names)}], ${quotedList(Object.values(names))}, '')`

/** USPS codes by FIPS code. */
const fips =
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA 54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI'.split(
    ' ',
  )
const stateOfFips = (number: string) =>
  `transform(${number}, [${fips.map((pair) => Number(pair.slice(0, 2)))}], ${quotedList(fips.map((pair) => pair.slice(2)))}, '')`

const absent = ['NA', 'Exempt']
const text = (headings: string) => hidden(orBlank(words(headings)))

/** Who lends: the LEI, before 2018 agency and identifier, as no identifier is of one agency alone. */
const lender = `if(lei = '', concat(toString(ifNull(agency, 0)), '-', trimLeft(replaceRegexpOne(respondent, '^0+', ''))), lei)`
const lenderColumn = () => ({
  ...computed('String', lender, {
    doc: 'Legal entity identifier; before 2018 the agency’s code and its identifier of the lender.',
  }),
  repeated: true,
})
const who: Readonly<Record<string, SourceColumn>> = {
  lei: text('lei'),
  agency: hidden(orNull(small('agency_code | Agency Code'))),
  respondent: text('respondent_id | Respondent-ID | Respondent_ID'),
}

const lending: TableDeclaration = {
  doc: 'Applications and loans of a lender in a county by purpose, type and what became of them. The register itself is not kept.',
  absent,
  columns: {
    ...who,
    activity_year: {
      ...whole('activity_year | as_of_year', { label: 'Year' }),
      type: 'UInt16',
      read: (one) => `toUInt16OrNull(${one})`,
    },
    lender: lenderColumn(),
    given_state: text('state_code'),
    given_county: text('county_code'),
    purpose_code: hidden(small('loan_purpose')),
    type_code: hidden(small('loan_type')),
    action_code: hidden(small('action_taken | action_taken_type | action_type')),
    amount: hidden(optional(decimal('loan_amount'))),
    amount_000s: hidden(optional(decimal('loan_amount_000s'))),
    state: repeated(
      `if(toUInt32OrNull(given_state) IS NULL, given_state, ${stateOfFips('toUInt32OrZero(given_state)')})`,
    ),
    county: repeated(`multiIf(given_county = '', '', length(given_county) > 3, leftPad(given_county, 5, '0'),
      concat(leftPad(given_state, 2, '0'), leftPad(given_county, 3, '0')))`),
    purpose: repeated(named('purpose_code', loanPurposes)),
    type: repeated(named('type_code', loanTypes)),
    action: repeated(named('action_code', actions)),
    loans: computed('UInt64', '1', { unit: 'count' }),
    dollars: computed('Float64', 'ifNull(coalesce(amount_000s, amount / 1000), 0)', {
      unit: 'thousands of US dollars',
    }),
    // of loans that were made, for their median
    amounts: computed(
      'Map(UInt32, UInt64)',
      `if(action_code = 1 AND dollars > 0, map(toUInt32(round(dollars)), toUInt64(1)), map())`,
    ),
  },
  checks: {
    "purpose != ''": `concat('loan purpose ', toString(purpose_code), ' is unknown')`,
    "type != ''": `concat('loan type ', toString(type_code), ' is unknown')`,
    "action != ''": `concat('action taken ', toString(action_code), ' is unknown')`,
  },
  adds: ['loans', 'dollars', 'amounts'],
  unique: ['activity_year', 'lender', 'state', 'county', 'purpose', 'type', 'action'],
  order: ['lender', 'activity_year', 'state', 'county', 'purpose', 'type', 'action'],
  partition: 'activity_year',
  edition: { replaces: 'partition', shrink: 0.8 },
  time: { kind: 'year', column: 'activity_year' },
  form: [csv({ delimiter: '|', quoted: false }), csv(), ...withoutHeader, archivedRegister],
  demo: hmdaDemo,
}

function repeated(sql: string): SourceColumn {
  return { ...computed('String', sql), repeated: true }
}

/** SQL of a lender's identifier where it is of one of these agencies; NULL: of another, or a LEI. */
const identifiedBy = (agencies: string) =>
  `if(match(lender, '^[0-9]-[0-9]+$') AND agency_code IN (${agencies}), toUInt32OrNull(splitByChar('-', toString(lender))[2]), NULL)`
const rssd = (headings: string, said = {}) =>
  orNull(whole(headings, { absent: ['0', '0000000000', '-1'], ...said }))

export default source({
  key: 'hmda',
  name: 'Home Mortgage Disclosure Act',
  publisher:
    'Consumer Financial Protection Bureau, for the Federal Financial Institutions Examination Council',
  licence: 'Public domain (work of the United States government)',
  address: 'https://ffiec.cfpb.gov/data-publication/',
  what: 'Mortgage applications and loans of every large enough lender by year, county, purpose and type, since 2004.',
  fetch: {
    base: 'https://files.ffiec.cfpb.gov/static-data/snapshot',
    mostBytes: 8 * 2 ** 30,
    note: 'A year is 0.4 to 1.5 GB; SOURCE_FROM_HMDA leaves out those before it.',
    addresses: (asked) => [
      ...byYear(
        asked,
        2018,
        ({ year }) => ({ name: `${year}_public_ts_pipe.zip`, path: `/${year}/${year}_public_ts_pipe.zip` }),
        { late: 2, open: 3 },
      ),
      // discontinued: 2023 is the last
      ...byYear(
        asked,
        2018,
        ({ year }) => ({
          name: `${year}_public_panel_pipe.zip`,
          path: `/${year}/${year}_public_panel_pipe.zip`,
        }),
        { late: 99 },
      ).filter(({ name }) => name < '2024'),
      ...byYear(
        asked,
        2018,
        ({ year }) => ({ name: `${year}_public_lar_pipe.zip`, path: `/${year}/${year}_public_lar_pipe.zip` }),
        { late: 2, open: 3 },
      ),
      ...byYear(asked, 2007, ({ year }) => ({
        name: `hmda_${year}_nationwide_all-records_codes.zip`,
        path: `https://files.consumerfinance.gov/hmda-historic-loan-data/hmda_${year}_nationwide_all-records_codes.zip`,
        settled: true,
      })).filter(({ name }) => name < 'hmda_2018'),
    ],
  },
  tables: {
    hmda_lending: lending,
    hmda_lenders: {
      doc: 'A lender in a year, as the panel or the transmittal sheet has it.',
      absent,
      columns: {
        ...who,
        activity_year: {
          ...whole('activity_year | As_of_Year | Activity Year', { label: 'Year' }),
          type: 'UInt16',
          read: (one) => `toUInt16OrNull(${one})`,
        },
        lender: lenderColumn(),
        name: optional(words('respondent_name | Respondent_Name_TS | Institution Name')),
        city: optional(words('respondent_city | Respondent_City_TS')),
        state: optional(code('respondent_state | Respondent_State_TS')),
        agency_code: computed('Nullable(UInt8)', 'agency', {
          label: 'Agency',
          doc: '1 OCC, 2 FRB, 3 FDIC, 4 OTS, 5 NCUA, 7 HUD, 9 CFPB.',
        }),
        given_rssd_id: rssd('respondent_rssd', { label: 'RSSD ID as given' }),
        origin: repeated(`if(lines IS NULL, 'panel', 'sheet')`),
        lines: optional(whole('lar_count', { label: 'Lines of its register' })),
      },
      unique: ['activity_year', 'lender', 'origin'],
      order: ['lender', 'activity_year', 'origin'],
      edition: { replaces: 'upsert' },
      time: { kind: 'year', column: 'activity_year' },
      form: [csv({ delimiter: '|', quoted: false }), csv(), archivedPanel],
      link: {
        entity: 'bank',
        own: 'lender',
        // until 2017 each agency had identifiers of its own; those of FRB and CFPB are RSSD IDs
        numbers: `arrayConcat(${numbered('RSSD ID', `coalesce(given_rssd_id, ${identifiedBy('2, 9')})`)},
          ${numbered(CERTIFICATE, identifiedBy('3'))}, ${numbered(OCC_CHARTER, `coalesce(${identifiedBy('1')}, ${identifiedBy('4')} + 700000)`)})`,
        ...{ name: 'name', city: 'city', state: 'state' },
      },
      demo: hmdaLendersDemo,
    },
  },
})
