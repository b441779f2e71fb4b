import { dataset } from '../../catalog/define.ts'
import { timeParameters } from '../../catalog/parameters.ts'
import {
  askedRssdId,
  bankOfRegistrant,
  registrantNote,
  registrantSources,
} from '../../catalog/parts/sec-registrant.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const owners = declaredTable('sec_beneficial_owners')

export default dataset({
  key: 'sec-ownership',
  summary:
    'Schedules 13D and 13G on the securities of a bank’s registrant, a row a reporting person, newest first.',
  notes: `${registrantNote} Persons and percentages are told by the XML documents of December 2024 and later. Several persons of one filing often report the same shares: they do not add up.`,
  from: owners.name,
  time: owners.time,
  grain: ['accession_number', 'number'],
  order: ['-filed_date', '-accession_number'],
  parameters: { rssd_id: bankOfRegistrant(), ...timeParameters(owners.time) },
  columns: [
    askedRssdId,
    ...columnsOf(owners, [
      ...['cik', 'issuer', 'filed_date', 'form', 'amendment', 'event_date', 'accession_number', 'number'],
      ...['person_cik', 'person', 'person_types', 'citizenship', 'class', 'cusip', 'shares', 'percent'],
      ...['sole_voting', 'shared_voting', 'sole_dispositive', 'shared_dispositive', 'purpose'],
    ]),
  ],
  sources: ['sec-13dg', ...registrantSources],
  examples: [{ title: 'Every report' }, { title: 'Those of a year', query: 'from=2026&to=2026' }],
})
