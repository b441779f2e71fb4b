import {
  code,
  computed,
  day,
  decimal,
  digits,
  flag,
  hidden,
  inHeader,
  oldDay,
  optional,
  orBlank,
  orNull,
  ref,
  type SourceColumn,
  small,
  stamped,
  upper,
  whole,
  words,
  zeroIsNone,
  zip,
} from './columns.ts'
import { csv, json, source } from './declare.ts'
import { bankFind, bankFindBase } from './fetch.ts'

const wholeOrNone = (headings: string) => orNull(whole(headings, zeroIsNone))

const quarterEnd = (date: string) =>
  `if(toLastDayOfMonth(${date}) = ${date} AND toMonth(${date}) % 3 = 0, ${date}, toStartOfQuarter(${date}) - 1)`

/** Each year-end and the latest quarter: enough for every as-of reading. */
const demo = `
SELECT
    f.report_date AS report_date,
    b.cert AS cert,
    b.rssd_id AS rssd_id,
    b.legal_name AS name,
    b.address AS address,
    b.city AS city,
    b.county AS county,
    b.state AS state,
    b.zip AS zip,
    b.charter_class AS charter_class,
    b.regulator AS regulator,
    b.holding_company_rssd_id AS holding_company_rssd_id,
    if(b.holding_company_rssd_id IS NULL, NULL, concat(toString(h.word), [' Bancorp', ' Bancshares, Inc.', ' Financial Corporation'][1 + ifNull(h.i, 0) % 3])) AS holding_company_name,
    b.established_date AS established_date,
    b.established_date + 30 AS insured_date,
    b.cbsa_code AS cbsa_code,
    b.cbsa_name AS cbsa_name,
    concat('www.', lower(replaceAll(b.word, ' ', '')), toString(b.i), '.example') AS web_address,
    true AS active,
    toUInt8(multiIf(b.business = 'agricultural', 2, b.business = 'credit card', 3, b.business IN ('commercial', 'commercial real estate', 'community'), 4, b.business = 'mortgage', 5, b.business = 'consumer', 6, 9)) AS specialization_group,
    b.subchapter_s AS subchapter_s,
    b.mutual AS mutual,
    toUInt32(greatest(1, round(f.domestic_deposits / (60000 + 25000 * b.z_size + if(b.giant, 200000, 0))))) AS offices,
    b.cbsa_code IS NOT NULL AS metropolitan,
    false AS micropolitan,
    NULL AS csa_name, NULL AS county_fips, NULL AS minority_status, NULL AS minority_code, NULL AS latitude, NULL AS longitude,
    offices AS domestic_offices, toUInt32(0) AS foreign_offices, toUInt32(0) AS territory_offices
FROM demo_filings AS f
INNER JOIN demo_banks AS b ON b.rssd_id = f.rssd_id
LEFT JOIN (SELECT i, word FROM demo_banks) AS h ON h.i = b.holding_company_rssd_id - 95000000
WHERE toMonth(f.report_date) = 12 OR f.report_date = {last:Date}`

const columns = {
  // closed institutions keep the last date that they reported; else the day on which the file was made tells
  reported: hidden(orNull(day('REPDTE'))),
  made: hidden(orNull(day('RUNDATE | DATEUPDT'))),
  report_date: stamped(
    'Date',
    `arrayMap(d -> ${quarterEnd('d')}, [coalesce(max(reported), max(made), toDate32OrNull(toString(parseDateTimeBestEffortOrNull(extract({file}, '[0-9]{8}')))::Nullable(String)))])[1]`,
  ),
  cert: ref('certificate', 'CERT', { absent: ['0'] }),
  rssd_id: wholeOrNone('FED_RSSD'),
  name: inHeader(orBlank(words('NAME'))),
  address: orBlank(words('ADDRESS')),
  city: orBlank(words('CITY')),
  county: orBlank(words('COUNTY')),
  state: orBlank(upper(code('STALP'))),
  zip: orBlank(zip('ZIP')),
  charter_class: orBlank(upper(code('BKCLASS'))),
  regulator: orBlank(upper(code('REGAGNT'))),
  holding_company_rssd_id: wholeOrNone('RSSDHCR'),
  holding_company_name: optional(words('NAMEHCR')),
  established_date: orNull(oldDay('ESTYMD')),
  insured_date: orNull(day('INSDATE')),
  cbsa_no: hidden(wholeOrNone('CBSA_NO')),
  // present and blank is not the same as lacking
  cbsa_metro: hidden({ ...orBlank(words('CBSA_METRO')), nullable: true }),
  cbsa_code: computed(
    'Nullable(String)',
    `leftPad(toString(coalesce(cbsa_no, nullIf(toUInt32OrZero(extract(cbsa_metro, '^[0-9]+')), 0))), 5, '0')`,
  ),
  cbsa: hidden(optional(words('CBSA', { absent: ['0'] }))),
  cbsa_metro_name: hidden(optional(words('CBSA_METRO_NAME', { absent: ['0'] }))),
  cbsa_name: computed('Nullable(String)', 'coalesce(cbsa, cbsa_metro_name)'),
  metropolitan: computed('Nullable(Bool)', `toUInt32OrZero(extract(cbsa_metro, '^[0-9]+')) > 0`),
  micro: hidden(orNull(flag('CBSA_MICRO_FLG'))),
  micropolitan: computed('Nullable(Bool)', 'micro'),
  csa_name: optional(words('CSA', { label: 'CSA', doc: 'Combined statistical area.', absent: ['0'] })),
  county_fips: optional(
    digits('STCNTY', 5, { label: 'County', doc: 'FIPS code of state and county.', absent: ['0'] }),
  ),
  minority_status: optional(
    code('MDI_STATUS_DESC', {
      label: 'Minority status',
      doc: 'Of a minority depository institution; null where it is none, or the file does not say.',
    }),
  ),
  minority_code: optional(code('MDI_STATUS_CODE', { label: 'Minority status code' })),
  latitude: orNull(decimal('LATITUDE', { unit: 'degrees', doc: 'Of the head office.', ...zeroIsNone })),
  longitude: orNull(decimal('LONGITUDE', { unit: 'degrees', doc: 'Of the head office.', ...zeroIsNone })),
  web_address: optional(words('WEBADDR | inst.webaddr', { absent: ['0'] })),
  active: orNull(flag('ACTIVE')),
  specialization_group: orNull(small('SPECGRP', zeroIsNone)),
  subchapter_s: orNull(flag('SUBCHAPS')),
  mutual: orNull(flag('MUTUAL', { yes: ['non-stock', 'mutual'], no: ['stock'] })),
  all_offices: hidden(orNull(whole('OFFICES'))),
  domestic_offices: orNull(whole('OFFDOM', { label: 'Offices in the states', unit: 'count' })),
  foreign_offices: orNull(whole('OFFFOR', { label: 'Offices abroad', unit: 'count' })),
  territory_offices: orNull(
    whole('OFFOA', {
      label: 'Offices in territories',
      doc: 'US territories and possessions.',
      unit: 'count',
    }),
  ),
  offices: computed(
    'Nullable(UInt32)',
    `coalesce(all_offices, domestic_offices + ifNull(foreign_offices, 0), foreign_offices)`,
  ),
}

/** What the API calls them. */
const fields = Object.values<SourceColumn>(columns)
  .flatMap(({ headings }) => headings)
  .filter((heading) => /^\w+$/.test(heading))
  .sort()

export default source({
  key: 'fdic-institutions',
  name: 'FDIC institutions',
  publisher: 'Federal Deposit Insurance Corporation, BankFind Suite',
  licence: 'Public domain (work of the United States government)',
  address: 'https://api.fdic.gov/banks/institutions',
  what: 'Charter class, primary regulator, holding company, dates, address, CBSA and web address of every insured institution, by quarter.',
  fetch: {
    base: bankFindBase,
    addresses: () => [bankFind('institutions', { fields, sort: 'CERT' })],
  },
  tables: {
    fdic_institutions: {
      doc: 'An insured institution as FDIC knew it at the end of a quarter.',
      absent: ['NA', 'NaN', 'null'],
      columns,
      unique: ['report_date', 'cert'],
      order: ['cert'],
      partition: 'report_date',
      edition: { replaces: 'partition' },
      time: { kind: 'quarter', column: 'report_date' },
      form: [json('data[].data'), csv()],
      demo,
      demoFirst: true,
    },
  },
})
