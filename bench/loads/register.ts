/** A year's register of mortgage applications as the CFPB publishes it since 2018: 99 columns, `|`, a header, in a zip. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

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

/** Lenders, of which the first has a seventeenth of all lines. */
const LENDERS = 4900
const states = '01AL 06CA 12FL 13GA 17IL 25MA 36NY 39OH 42PA 48TX'.split(' ')
const COUNTIES_OF_A_STATE = 300
const purposes = [1, 1, 1, 31, 32, 32, 2, 4]
const actions = [1, 1, 1, 1, 1, 3, 3, 4, 6, 2, 5]
const types = [1, 1, 1, 1, 1, 2, 3, 4]
const some = <T>(of: readonly T[], chance: number): T => of[Math.floor(chance * of.length)]!

/** What stands between the columns that are read: it is passed over. */
const LOAN =
  'C|Conventional:First Lien|Single Family (1-4 Units):Site-Built|Not Hispanic or Latino|White|Joint'
const PEOPLE = '1|9|2|||||2|||||5|||||5|||||2|2|2|2|1|2|2|2|45-54|35-44|No|No|1|1|1|||||10|||'

/** A number of 0 … 1 for each pair of them, the same at each run. */
function chanceOf(n: number, salt: number): number {
  let mixed = Math.imul(n, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** A lender is at work in as many counties as the root of its lines, and in some of them more than in others. */
function line(n: number, count: number): string {
  const chance = (salt: number) => chanceOf(n, salt)
  const lender = Math.floor(LENDERS * chance(1) ** 3)
  const lines = count * (Math.cbrt((lender + 1) / LENDERS) - Math.cbrt(lender / LENDERS))
  const first = Math.floor(chanceOf(lender, 2) * states.length * COUNTIES_OF_A_STATE)
  const nth = (first + Math.floor(Math.sqrt(lines) * chance(3) ** 2)) % (states.length * COUNTIES_OF_A_STATE)
  const place = states[Math.floor(nth / COUNTIES_OF_A_STATE)]!
  const county = `${place.slice(0, 2)}${String((nth % COUNTIES_OF_A_STATE) * 2 + 1).padStart(3, '0')}`
  const between = (salt: number, most: number) => Math.floor(chance(salt) * most)
  const amount = 5000 + between(4, 90) * 10_000
  const tract = `${county}${String(between(5, 900)).padStart(6, '0')}`
  return `2023|LEI${String(lender).padStart(17, '0')}|12060|${place.slice(2)}|${county}|${tract}|${LOAN}|${some(actions, chance(6))}|0|2|${some(types, chance(7))}|${some(purposes, chance(8))}|1|2|2|2|${amount}.0|${between(9, 100)}.0|${(between(10, 500) / 100 + 3).toFixed(3)}|0.31|2|${between(11, 9000)}.5|NA|1200.0|NA|NA|360|NA|NA|2|2|2|2|${amount + 95_000}|1|1|3|5|1|NA|${between(12, 300)}|${30 + between(13, 25)}|${PEOPLE}|${2000 + between(14, 4000)}|21.45|92300|118.2|1203|1702|${between(15, 80)}\n`
}

const registerHeader = headings.join('|')

/** Writes a register of so many lines, zipped, and returns its path. */
export async function writeRegister(folder: string, count: number): Promise<string> {
  const path = join(folder, '2023_public_lar_pipe.zip')
  const zip = new ZipFile()
  const text = Readable.from(blocks(count), { objectMode: false })
  zip.addReadStream(text, '2023_public_lar_pipe.txt', { forceZip64Format: true })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

function* blocks(count: number): Generator<string> {
  yield `${registerHeader}\n`
  for (let from = 0; from < count; from += 2000) {
    let text = ''
    for (let n = from; n < Math.min(count, from + 2000); n++) text += line(n, count)
    yield text
  }
}
