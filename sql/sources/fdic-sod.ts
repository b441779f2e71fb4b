import { demoOffices } from '../demo/branches.ts'
import {
  code,
  day,
  decimal,
  digits,
  flag,
  oldDay,
  optional,
  orBlank,
  orNull,
  ref,
  small,
  thousands,
  upper,
  whole,
  words,
  year,
  zeroIsNone,
  zip,
} from './columns.ts'
import { csv, json, source } from './declare.ts'
import { SERVICE_TYPES } from './fdic-locations.ts'
import { bankFind, bankFindBase, byYear } from './fetch.ts'

const columns = {
  year: year('YEAR', { doc: 'Deposits are those of 30 June.' }),
  // 0 where a survey of the first years does not say
  rssd_id: orBlank(ref('institution', 'RSSDID', { label: 'RSSD ID' })),
  cert: ref('certificate', 'CERT', { label: 'FDIC certificate' }),
  branch_number: whole('BRNUM', { label: 'Office number', doc: '0 is the main office.' }),
  uninum: optional(whole('UNINUMBR', { label: 'FDIC office identifier', ...zeroIsNone })),
  name: orBlank(words('NAMEBR')),
  bank_name: orBlank(words('NAMEFULL')),
  address: orBlank(words('ADDRESBR')),
  city: orBlank(words('CITYBR')),
  county: orBlank(words('CNTYNAMB')),
  state: orBlank(upper(code('STALPBR'))),
  zip: orBlank(zip('ZIPBR')),
  main_office: optional(flag('BKMO')),
  service_type: optional(small('BRSERTYP', { label: 'Service type', doc: SERVICE_TYPES })),
  deposits: optional(
    thousands('DEPSUMBR', {
      doc: 'Of 30 June; 0 where the office takes none, or they are counted at the office `consolidated_into`.',
    }),
  ),
  method: optional(
    code('BRCENM', {
      label: 'How deposits were told',
      doc: 'M: the main office; E: estimated; C: counted at another office; N: the office takes no deposits. Null: by its books.',
    }),
  ),
  consolidated_into: optional(
    whole('CONSOLD', { doc: 'Number of the office at which its deposits are counted.' }),
  ),
  established_date: orNull(oldDay('SIMS_ESTABLISHED_DATE', { label: 'Established' })),
  acquired_date: orNull(
    day('SIMS_ACQUIRED_DATE', {
      label: 'Acquired',
      doc: 'When its owner bought it; null where it opened it.',
    }),
  ),
  latitude: orNull(decimal('SIMS_LATITUDE', { unit: 'degrees', ...zeroIsNone })),
  longitude: orNull(decimal('SIMS_LONGITUDE', { unit: 'degrees', ...zeroIsNone })),
  county_fips: optional(
    digits('STCNTYBR', 5, { label: 'County', doc: 'FIPS code of state and county.', ...zeroIsNone }),
  ),
  cbsa_code: optional(
    digits('MSABR', 5, { label: 'CBSA code', doc: 'Core based statistical area.', ...zeroIsNone }),
  ),
  cbsa_name: optional(words('MSANAMB', { label: 'CBSA', ...zeroIsNone })),
  metropolitan: optional(flag('METROBR')),
  micropolitan: optional(flag('MICROBR')),
  charter: optional(code('BKCLASS', { label: 'Charter class', doc: 'FDIC charter class of the bank.' })),
  holding_company_rssd_id: optional(
    ref('institution', 'RSSDHCR', { label: 'Holding company RSSD ID', ...zeroIsNone }),
  ),
}

/** What the API calls them. */
const fields = Object.values(columns).flatMap(({ headings }) => headings)

export default source({
  key: 'fdic-sod',
  name: 'FDIC Summary of Deposits',
  publisher: 'Federal Deposit Insurance Corporation',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.fdic.gov/bank-financial-reports/summary-deposits',
  what: 'Every branch of every insured institution with its deposits on 30 June, a survey a year since 1994.',
  fetch: {
    base: bankFindBase,
    // a survey is published in September
    addresses: (asked) =>
      byYear(asked, 1994, ({ year }) =>
        bankFind('sod', { fields, sort: 'UNINUMBR', filters: `YEAR:${year}`, name: `sod-${year}.json` }),
      ),
  },
  tables: {
    branch_deposits: {
      doc: 'A branch on 30 June of a year, as the Summary of Deposits has it.',
      absent: ['NaN', 'null'],
      columns,
      unique: ['year', 'cert', 'branch_number'],
      order: ['rssd_id', 'cert', 'branch_number'],
      partition: 'year',
      granule: 256,
      edition: { replaces: 'partition' },
      time: { kind: 'year', column: 'year' },
      form: [json('data[].data'), csv()],
      demo: `
SELECT toYear(f.report_date) AS year, o.rssd_id AS rssd_id, cert, number AS branch_number, uninum, name, bank_name, address, city,
    county, state, zip, main AS main_office, service_type,
    round(f.domestic_deposits * if(main, 3, 0.5 + n % 100 / 100) / (2 + greatest(1, round(size / 110000)))) AS deposits,
    if(main, 'M', NULL) AS method, NULL AS consolidated_into, established_date, NULL AS acquired_date, latitude, longitude,
    NULL AS county_fips, cbsa_code, cbsa_name, cbsa_code IS NOT NULL AS metropolitan, false AS micropolitan,
    charter_class AS charter, holding_company_rssd_id
FROM (SELECT report_date, rssd_id, domestic_deposits FROM demo_filings WHERE toMonth(report_date) = 6 AND report_date > {last:Date} - 3660) AS f
INNER JOIN (${demoOffices}) AS o ON o.rssd_id = f.rssd_id`,
    },
  },
})
