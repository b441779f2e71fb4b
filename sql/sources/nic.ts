/** What the files of the National Information Center have in common. */
import {
  code,
  day,
  from1900,
  oldDay,
  optional,
  orBlank,
  orNull,
  ref,
  type SourceColumn,
  small,
  upper,
  words,
} from './columns.ts'
import type { SourceDeclaration } from './declare.ts'
import type { FetchDeclaration } from './fetch.ts'

/** NIC writes 0 where something does not apply, and the last day of the year 9999 where nothing has ended. */
export const notApplicable = ['0', '0.0', '0.00', '00000000', '99991231'] as const

const page = 'https://www.ffiec.gov/npw/FinancialReport'

/** What NIC says of itself, and how its files are had from its page: the name of each, and what the page calls it. */
export function fromNic(
  key: string,
  files: Readonly<Record<string, string>>,
): Pick<SourceDeclaration, 'publisher' | 'licence' | 'address' | 'howToGet'> & { fetch: FetchDeclaration } {
  const named = Object.entries(files).map(([file, called]) => ({
    name: `CSV_${file}.zip`,
    path: `/Return${called}ZipFileCSV`,
  }))
  return {
    publisher: 'Federal Financial Institutions Examination Council, National Information Center',
    licence: 'Public domain (work of the United States government)',
    address: `${page}/DataDownload`,
    howToGet: `Download the CSV files from ${page}/DataDownload,
then: npm run load -- ${key} ${named.map(({ name }) => name).join(' ')}`,
    // the site may ask a browser to prove that a person uses it: then the load of the page that came says so
    fetch: { base: page, addresses: () => named },
  }
}

export const since: SourceColumn = from1900(
  day('DT_START', {
    label: 'Valid from',
    doc: 'First day of which the row is true; 1900-01-01 for what is older.',
  }),
)
export const until: SourceColumn = optional(
  day('DT_END', { label: 'Valid to', doc: 'Last day of which the row is true; null where it still is.' }),
)

const place = (heading: string, label: string) => orBlank(words(heading, { label }))

/** Who and where an institution or a branch is: the beginning of a row of every attributes file. */
export const attributes = {
  rssd_id: ref('institution', '#ID_RSSD', { label: 'RSSD ID' }),
  start_date: since,
  end_date: until,
  legal_name: words('NM_LGL', { label: 'Legal name' }),
  short_name: orBlank(words('NM_SHORT', { label: 'Short name' })),
  entity_type: optional(
    upper(
      code('ENTITY_TYPE', {
        label: 'Entity type',
        doc: 'NAT, SMB, NMB: national, state member and non-member bank; BHC, FHD, IHC: holding companies; DBR: branch; and others.',
      }),
    ),
  ),
  establishment_type: optional(
    small('EST_TYPE_CD', {
      label: 'Establishment type',
      doc: '1: head office; 2 and more: kinds of branches and offices.',
    }),
  ),
  head_office_rssd_id: optional(ref('institution', 'ID_RSSD_HD_OFF', { label: 'Head office' })),
  street: place('STREET_LINE1', 'Street'),
  street_2: place('STREET_LINE2', 'Street, second line'),
  city: place('CITY', 'City'),
  state: optional(upper(code('STATE_ABBR_NM', { label: 'State' }))),
  zip: place('ZIP_CD', 'ZIP code'),
  state_fips: optional(small('STATE_CD', { label: 'State, FIPS' })),
  county_fips: optional(
    words('COUNTY_CD', {
      label: 'County, FIPS',
      doc: 'Of the county within the state, three digits.',
      take: (text) => `if(match(${text}, '^[0-9]{1,3}$'), leftPad(${text}, 3, '0'), ${text})`,
    }),
  ),
  country: place('CNTRY_NM', 'Country'),
  opened_date: orNull(day('DT_OPEN', { label: 'Opened' })),
  established_date: orNull(
    oldDay('DT_EXIST_CMNC', { label: 'Established', doc: 'First day of existence, ISO 8601.' }),
  ),
  terminated_date: orNull(
    day('DT_EXIST_TERM', { label: 'Terminated', doc: 'Last full day of existence; null where it exists.' }),
  ),
  termination_reason: optional(
    small('REASON_TERM_CD', {
      label: 'Reason of termination',
      doc: '1: voluntary liquidation; 2: closure; 3: inactive or no longer regulated; 4: failed and goes on; 5: failed.',
    }),
  ),
} as const
