import { code, column, money, over, rssdId, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, integer, state } from '../../catalog/parameters.ts'
import { mergedBranches } from '../../catalog/parts/merged-branches.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const absent = (names: string[]) =>
  columnsOf(declaredTable('branch_deposits'), names).map((one) => over(one, { nullable: true }))

export default dataset({
  key: 'bank-branches',
  summary:
    'Offices of a bank, those of the Summary of Deposits and of NIC merged into one row each, by office number.',
  notes:
    'Of the newest survey that has the bank, with NIC’s branches that are open; with `year` of 30 June of that year in both. They are paired one to one by `matched_by`: number (the main office), address (street and ZIP code), name (name, city and state). NIC’s files give no number of other offices. `source` says which has it: an office that NIC alone has may have opened since the survey, or be one that the FDIC does not survey. What the other does not say is null. NIC keeps of each branch what it last knew: of an earlier year its name and head office are those of today.',
  from: mergedBranches,
  time: { kind: 'year', column: 'year' },
  grain: ['nic_only', 'office'],
  order: ['nic_only', 'office'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    year: integer({ doc: 'Year of the survey; default: the newest.', min: 1994, max: 2299 }),
    state: state('state'),
  },
  columns: [
    rssdId,
    column('UInt16', 'year', 'Year', { nullable: true, doc: 'Of the survey; null where there is none.' }),
    code('source', 'Source', { doc: 'FDIC, NIC, or FDIC and NIC.' }),
    code('matched_by', 'Matched by', {
      nullable: true,
      doc: 'number, address or name; null where one source has it.',
    }),
    ...absent(['branch_number', 'uninum']),
    over(rssdId, {
      name: 'branch_rssd_id',
      label: 'Branch RSSD ID',
      nullable: true,
      doc: 'Of the branch; of the bank itself at its main office.',
    }),
    text('name', 'Name'),
    text('address', 'Address'),
    text('city', 'City'),
    ...absent(['county']),
    code('state', 'State'),
    text('zip', 'ZIP code'),
    ...absent(['main_office', 'service_type']),
    money('deposits', 'Deposits'),
    ...absent(['method', 'established_date', 'acquired_date']),
    column('Date32', 'opened_date', 'Opened', { nullable: true, doc: 'As NIC has it.' }),
    column('Date32', 'end_date', 'Closed', { nullable: true, doc: 'As NIC has it; null while it is open.' }),
    ...absent(['latitude', 'longitude', 'county_fips', 'cbsa_code', 'cbsa_name']),
  ],
  sources: ['fdic-sod', 'nic-attributes'],
  examples: [
    { title: 'Every office now', expect: { least: 1 } },
    {
      title: 'The largest by deposits',
      query: 'sort=-deposits&limit=5&fields=name,city,state,deposits,source',
    },
  ],
})
