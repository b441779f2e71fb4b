import { eventTypeKeys, eventTypes } from '../../../sql/events/types.ts'
import { code, id, longDate, text } from '../columns.ts'
import { dateWindow, oneOfMany } from '../parameters.ts'

export const eventType = oneOfMany('type', eventTypeKeys, {
  doc: `Kind of event, or several by comma: ${Object.entries(eventTypes)
    .map(([key, doc]) => `${key} (${doc[0]!.toLowerCase()}${doc.slice(1, -1)})`)
    .join('; ')}.`,
})

const eventSource = oneOfMany('source', ['NIC', 'FDIC'], { doc: 'Who tells of the event.' })

/** What the lists of events have in common: newest first. */
export const eventList = {
  time: { kind: 'day', column: 'date' },
  grain: ['date', 'event'],
  order: ['-date', '-event'],
  sources: ['nic-transformations', 'nic-attributes', 'nic-relationships', 'fdic-history'],
} as const
export const eventParameters = { type: eventType, source: eventSource, ...dateWindow('date') }

/** What happened to whom: the columns of `structural_events`. */
export const eventColumns = [
  text('event', 'Event', { doc: 'Identifier; it stays the same from edition to edition.' }),
  longDate('date', 'Date', { doc: 'Effective day; 1900-01-01 for what is older.' }),
  code('type', 'Type', { doc: 'One vocabulary for both agencies.' }),
  code('source', 'Source', { doc: 'NIC or FDIC.' }),
  text('code', 'Raw code', {
    doc: 'As the agency writes it: a transformation code of NIC, a change code of FDIC.',
  }),
  text('meaning', 'Meaning of the code', { doc: 'In the agency’s words.' }),
  id('rssd_id', 'RSSD ID', { nullable: true, doc: 'Whom it happened to; null where that is not certain.' }),
  id('cert', 'FDIC certificate', { nullable: true }),
  text('legal_name', 'Name', { nullable: true }),
  text('city', 'City', { nullable: true }),
  code('state', 'State', { nullable: true }),
  id('counterparty_rssd_id', 'Other institution', {
    nullable: true,
    doc: 'What it became part of, or who acquired control of it.',
  }),
  id('counterparty_cert', 'FDIC certificate of the other institution', { nullable: true }),
  text('counterparty_name', 'Name of the other institution', { nullable: true }),
  text('former', 'Before', {
    nullable: true,
    doc: 'Of a change of name, place, class or certificate: what it was.',
  }),
  text('current', 'After', { nullable: true }),
] as const
