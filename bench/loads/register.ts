/** A year's register of mortgage applications as the CFPB publishes it since 2018: 99 columns, `|`, a header. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const before =
  'activity_year lei derived_msa-md state_code county_code census_tract conforming_loan_limit derived_loan_product_type derived_dwelling_category derived_ethnicity derived_race derived_sex action_taken purchaser_type preapproval loan_type loan_purpose lien_status reverse_mortgage open-end_line_of_credit business_or_commercial_purpose loan_amount loan_to_value_ratio interest_rate rate_spread hoepa_status total_loan_costs total_points_and_fees origination_charges discount_points lender_credits loan_term prepayment_penalty_term intro_rate_period negative_amortization interest_only_payment balloon_payment other_nonamortizing_features property_value construction_method occupancy_type manufactured_home_secured_property_type manufactured_home_land_property_interest total_units multifamily_affordable_units income debt_to_income_ratio'
const people = ['applicant', 'co-applicant'].map((who) => `${who}_credit_score_type`)
const numbered = (what: string) =>
  ['applicant', 'co-applicant'].flatMap((who) => [1, 2, 3, 4, 5].map((n) => `${who}_${what}-${n}`))
const after =
  'applicant_ethnicity_observed co-applicant_ethnicity_observed applicant_race_observed co-applicant_race_observed applicant_sex co-applicant_sex applicant_sex_observed co-applicant_sex_observed applicant_age co-applicant_age applicant_age_above_62 co-applicant_age_above_62 submission_of_application initially_payable_to_institution aus-1 aus-2 aus-3 aus-4 aus-5 denial_reason-1 denial_reason-2 denial_reason-3 denial_reason-4 tract_population tract_minority_population_percent ffiec_msa_md_median_family_income tract_to_msa_income_percentage tract_owner_occupied_units tract_one_to_four_family_homes tract_median_age_of_housing_units'
const headings = [
  ...before.split(' '),
  ...people,
  ...numbered('ethnicity'),
  ...numbered('race'),
  ...after.split(' '),
]

/** Lenders, of which the largest has a twentieth of all lines. */
const LENDERS = 4900
const states = '01AL 06CA 12FL 13GA 17IL 25MA 36NY 39OH 42PA 48TX'.split(' ')
const purposes = [1, 1, 1, 31, 32, 32, 2, 4]
const actions = [1, 1, 1, 1, 1, 3, 3, 4, 6, 2, 5]
const types = [1, 1, 1, 1, 1, 2, 3, 4]
const some = <T>(of: readonly T[], n: number): T => of[n % of.length]!

/** What stands between the columns that are read: it is passed over. */
const [LOAN, REST] = [
  'C|Conventional:First Lien|Single Family (1-4 Units):Site-Built|Not Hispanic or Latino|White|Joint',
  '2|2|2|2|355000|1|1|3|5|1|NA|119|36%-<50%|1|9|2|||||2|||||5|||||5|||||2|2|2|2|1|2|2|2|45-54|35-44|No|No|1|1|1|||||10||||4321|21.45|92300|118.2|1203|1702|34',
]

function line(n: number): string {
  const at = (n * 2_654_435_761) % 4_294_967_296
  const lender = Math.floor(LENDERS * (at / 4_294_967_296) ** 3)
  const place = some(states, Math.floor(at / 97))
  const county = `${place.slice(0, 2)}${String(((at >>> 7) % 90) * 2 + 1).padStart(3, '0')}`
  const action = some(actions, at >>> 5)
  const amount = 5000 + ((at >>> 3) % 90) * 10_000
  return `2023|LEI${String(lender).padStart(17, '0')}|12060|${place.slice(2)}|${county}|${county}000${at % 900}|${LOAN}|${action}|0|2|${some(types, at >>> 9)}|${some(purposes, at >>> 11)}|1|2|2|2|${amount}.0|80.0|6.625|0.31|2|4213.5|NA|1200.0|NA|NA|360|NA|NA|${REST}\n`
}

export const registerHeader = headings.join('|')

/** Writes a register of so many lines, and returns its path. */
export async function writeRegister(folder: string, count: number): Promise<string> {
  const path = join(folder, '2023_public_lar_pipe.txt')
  await pipeline(Readable.from(blocks(count), { objectMode: true }), createWriteStream(path))
  return path
}

function* blocks(count: number): Generator<string> {
  yield `${registerHeader}\n`
  for (let from = 0; from < count; from += 2000) {
    let text = ''
    for (let n = from; n < Math.min(count, from + 2000); n++) text += line(n)
    yield text
  }
}
