import { demoOffices } from '../demo/branches.ts'
import {
  code,
  computed,
  day,
  decimal,
  digits,
  flag,
  hidden,
  oldDay,
  optional,
  orBlank,
  orNull,
  ref,
  small,
  upper,
  whole,
  words,
  zeroIsNone,
  zip,
} from './columns.ts'
import { csv, json, source } from './declare.ts'
import { bankFind, bankFindBase } from './fetch.ts'

/** In both files of offices. */
export const SERVICE_TYPES =
  '11 brick and mortar, 12 retail, 13 cyber, 14 mobile, 15 home and phone banking, 16 seasonal: full service; 21 administrative, 22 military, 23 drive-through or detached, 24 loan production, 25 consumer credit, 26 contractual, 27 messenger, 28 retail, 29 mobile, 30 trust: limited service.'

const columns = {
  uninum: whole('UNINUM', { label: 'FDIC office identifier' }),
  cert: ref('certificate', 'CERT', { label: 'FDIC certificate' }),
  office_number: whole('OFFNUM', { label: 'Office number', doc: '0 is the main office.' }),
  name: orBlank(words('OFFNAME')),
  bank_name: orBlank(words('NAME')),
  address: orBlank(words('ADDRESS')),
  city: orBlank(words('CITY')),
  county: orBlank(words('COUNTY')),
  state: orBlank(upper(code('STALP'))),
  zip: orBlank(zip('ZIP')),
  main_office: optional(flag('MAINOFF')),
  service_type: optional(small('SERVTYPE', { label: 'Service type', doc: SERVICE_TYPES })),
  service: optional(code('SERVTYPE_DESC', { label: 'Service type in words' })),
  established_date: orNull(oldDay('ESTYMD', { label: 'Established' })),
  acquired_date: orNull(
    day('ACQDATE', { label: 'Acquired', doc: 'When the present owner bought it; null where it opened it.' }),
  ),
  latitude: orNull(decimal('LATITUDE', { unit: 'degrees', ...zeroIsNone })),
  longitude: orNull(decimal('LONGITUDE', { unit: 'degrees', ...zeroIsNone })),
  county_fips: optional(
    digits('STCNTY', 5, { label: 'County', doc: 'FIPS code of state and county.', ...zeroIsNone }),
  ),
  cbsa_code: optional(
    digits('CBSA_NO', 5, { label: 'CBSA code', doc: 'Core based statistical area.', ...zeroIsNone }),
  ),
  cbsa_name: optional(words('CBSA', { label: 'CBSA', ...zeroIsNone })),
  metro: hidden(orNull(flag('CBSA_METRO_FLG'))),
  micro: hidden(orNull(flag('CBSA_MICRO_FLG'))),
  area: computed(
    'Nullable(String)',
    `multiIf(metro, 'metropolitan', micro, 'micropolitan', metro = false AND micro = false, 'rural', NULL)`,
    { label: 'Area', doc: 'metropolitan, micropolitan or rural.' },
  ),
  division_code: optional(digits('CBSA_DIV_NO', 5, { label: 'Metropolitan division code', ...zeroIsNone })),
  division_name: optional(words('CBSA_DIV', { label: 'Metropolitan division', ...zeroIsNone })),
  csa_code: optional(
    digits('CSA_NO', 3, { label: 'CSA code', doc: 'Combined statistical area.', ...zeroIsNone }),
  ),
  csa_name: optional(words('CSA', { label: 'CSA', ...zeroIsNone })),
  run_date: orNull(day('RUNDATE', { label: 'As of', doc: 'Day on which the publisher made the row.' })),
}

/** What the API calls them. */
const fields = Object.values(columns).flatMap(({ headings }) => headings)

export default source({
  key: 'fdic-locations',
  name: 'FDIC locations',
  publisher: 'Federal Deposit Insurance Corporation, BankFind Suite',
  licence: 'Public domain (work of the United States government)',
  address: 'https://api.fdic.gov/banks/locations',
  what: 'Every office of every insured institution now: number, service type, address, coordinates, CBSA, and since when.',
  fetch: {
    base: bankFindBase,
    addresses: () => [bankFind('locations', { fields, sort: 'UNINUM' })],
  },
  tables: {
    branch_offices: {
      doc: 'An office of an insured institution, as FDIC’s register has it now.',
      absent: ['NA', 'NaN', 'null'],
      columns,
      unique: ['uninum'],
      order: ['cert', 'office_number', 'uninum'],
      granule: 512,
      edition: { replaces: 'all', newest: 'run_date', shrink: 0.9 },
      form: [json('data[].data'), csv()],
      demo: `
SELECT uninum, cert, number AS office_number, name, bank_name, address, city, county, state, zip, main AS main_office, service_type,
    transform(service_type, [11, 12, 29], ['FULL SERVICE BRICK AND MORTAR', 'FULL SERVICE RETAIL', 'LIMITED SERVICE MOBILE'], '') AS service,
    established_date, NULL AS acquired_date, latitude, longitude, NULL AS county_fips, cbsa_code, cbsa_name,
    if(cbsa_code IS NULL, 'rural', 'metropolitan') AS area, NULL AS division_code, NULL AS division_name, NULL AS csa_code,
    NULL AS csa_name, {last:Date} AS run_date
FROM (${demoOffices}) WHERE rssd_id IN (SELECT rssd_id FROM demo_filings WHERE report_date = {last:Date})`,
    },
  },
})
