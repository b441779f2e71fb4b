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
