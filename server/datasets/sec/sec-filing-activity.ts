import { FILINGS } from '../../../sql/sources/sec-filings.ts'
import { code, longDate, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { filingSources, filings, filingWindow } from '../../catalog/parts/sec-filings.ts'
import { bankOfRegistrant, registrantNote } from '../../catalog/parts/sec-registrant.ts'

export default dataset({
  key: 'sec-filing-activity',
  summary: 'How many filings of each form the registrant behind one bank made in each quarter, newest first.',
  notes: `Quarters are of the day on which a filing was made. ${registrantNote}`,
  from: `SELECT *, toDate32(toStartOfQuarter(filed_date) + INTERVAL 1 QUARTER - INTERVAL 1 DAY) AS quarter FROM ${FILINGS}`,
  time: filings.time,
  groupBy: ['quarter', 'form'],
  grain: ['quarter', 'form'],
  order: ['-quarter', '-filings'],
  parameters: { rssd_id: bankOfRegistrant(), ...filingWindow },
  columns: [
    longDate('quarter', 'Quarter', { doc: 'Its last day.' }),
    code('form', 'Form'),
    smallCount('filings', 'Filings', { sql: 'toUInt32(count())' }),
    longDate('first_filed', 'First filed', { sql: 'min(filed_date)' }),
    longDate('last_filed', 'Last filed', { sql: 'max(filed_date)' }),
  ],
  sources: [...filingSources],
  examples: [{ title: 'Every quarter' }, { title: 'Quarters of 2025', query: 'from=2025&to=2025' }],
})
