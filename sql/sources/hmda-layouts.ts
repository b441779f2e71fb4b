import { csv } from './declare.ts'

const races = (whose: string) => [1, 2, 3, 4, 5].map((n) => `${whose}_race_${n}`)

/** Of the files of 2014 to 2017 that have no header: amounts are in thousands. */
const header = [
  ...[
    'as_of_year',
    'respondent_id',
    'agency_code',
    'loan_type',
    'property_type',
    'loan_purpose',
    'occupancy',
  ],
  ...[
    'loan_amount_000s',
    'preapproval',
    'action_taken',
    'msamd',
    'state_code',
    'county_code',
    'census_tract',
  ],
  ...['applicant_ethnicity', 'co_applicant_ethnicity', ...races('applicant'), ...races('co_applicant')],
  ...[
    'applicant_sex',
    'co_applicant_sex',
    'income_000s',
    'purchaser_type',
    'denial_1',
    'denial_2',
    'denial_3',
  ],
  ...['rate_spread', 'hoepa_status', 'lien_status', 'edit_status', 'sequence_number', 'population'],
  ...['minority_percent', 'median_family_income', 'tract_to_msa_income', 'owner_occupied_units'],
  ...['one_to_four_family_units', 'application_date_indicator'],
]

export const withoutHeader = [
  csv({ delimiter: '|', quoted: false, header, begins: /^20\d\d$/ }),
  csv({ header, begins: /^20\d\d$/ }),
]

type Field = readonly [heading: string, characters: number]

const inColumns = (fields: readonly Field[], begins: RegExp) =>
  csv({
    quoted: false,
    header: fields.map(([heading]) => heading),
    widths: fields.map(([, characters]) => characters),
    begins,
  })

const each = (headings: readonly string[], characters: number): Field[] =>
  headings.map((heading) => [heading, characters])

/**
 * Registers of 2004 to 2013 as the National Archives keep them: 80 characters a line. Layout: “HMDA Loan Application Register
 * record format”, 2004 to 2013, as the Consumer Financial Protection Bureau's data science kit has it.
 */
export const archivedRegister = inColumns(
  [
    ...([
      ['as_of_year', 4],
      ['respondent_id', 10],
    ] as const),
    ...each(['agency_code', 'loan_type', 'loan_purpose', 'occupancy'], 1),
    ...([
      ['loan_amount_000s', 5],
      ['action_taken', 1],
      ['msamd', 5],
      ['state_code', 2],
      ['county_code', 3],
      ['census_tract', 7],
    ] as const),
    ...each(['applicant_sex', 'co_applicant_sex'], 1),
    ['income_000s', 4],
    ...each(['purchaser_type', 'denial_1', 'denial_2', 'denial_3', 'edit_status', 'property_type'], 1),
    ...each(['preapproval', 'applicant_ethnicity', 'co_applicant_ethnicity'], 1),
    ...each([...races('applicant'), ...races('co_applicant')], 1),
    ['rate_spread', 5],
    ...each(['hoepa_status', 'lien_status'], 1),
    ['sequence_number', 7],
  ],
  /^20(0[4-9]|1[0-3])$/,
)

/** Their reporter panels: 169 characters a line. */
export const archivedPanel = inColumns(
  [
    ['respondent_id', 10],
    ['msa', 5],
    ['agency_code', 1],
    ['agency_group', 2],
    ['respondent_name', 30],
    ['respondent_city', 25],
    ['respondent_state', 2],
    ['respondent_fips', 2],
    ['assets', 10],
    ['other_lender', 1],
    ['parent_id', 10],
    ['parent_name', 30],
    ['parent_city', 25],
    ['parent_state', 2],
    ['as_of_year', 4],
    ['respondent_rssd', 10],
  ],
  /^[\w-]{1,10}$/,
)
