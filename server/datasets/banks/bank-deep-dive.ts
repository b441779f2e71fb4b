import { code, column, figure, reportDate, rssdId, text } from '../columns.ts'
import { dataset } from '../define.ts'
import { anyOf, asOf, bank } from '../parameters.ts'

export default dataset({
  key: 'bank-deep-dive',
  summary:
    'Every Call Report item of one filing, in the order of the form, with a quarter and a year before.',
  notes:
    'Items are as filed: amounts in thousands of US dollars, ratios in percent, income items year to date. An item that the bank left blank has no row. Items that are text have `text` in place of `value`.',
  from: 'SELECT * FROM bank_deep_dive(rssd_id = {rssd_id:UInt32}, as_of = {as_of:Date})',
  grain: ['schedule', 'mdrm'],
  order: ['schedule', 'position'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    as_of: asOf({ where: null }),
    schedule: anyOf('schedule', {
      doc: 'Schedule of the report, or several by comma.',
      pattern: /^[A-Z0-9]{1,12}$/,
      form: 'schedules such as RC or RCCI',
      upper: true,
      example: 'RC',
    }),
    codes: anyOf('mdrm', {
      doc: 'MDRM codes by comma.',
      pattern: /^[A-Z0-9]{8}$/,
      form: 'codes of four letters and four characters such as RCON2170',
      upper: true,
      example: 'RCON2170',
    }),
  },
  columns: [
    rssdId,
    reportDate,
    code('schedule', 'Schedule'),
    code('mdrm', 'MDRM code'),
    text('description', 'Description', {
      nullable: true,
      doc: 'As the form calls it in that quarter, else the name in the MDRM.',
    }),
    column('UInt16', 'position', 'Position', {
      doc: 'Place on the schedule; 65535 where the form has no line for it.',
    }),
    figure('value', 'Value', { doc: 'Null where the item is text.' }),
    text('text', 'Text', { nullable: true }),
    figure('prior_quarter', 'Prior quarter', { doc: 'The same item one quarter before.' }),
    figure('year_ago', 'Year ago', { doc: 'The same item four quarters before.' }),
  ],
  sources: ['ffiec-call-report', 'mdrm'],
  examples: [
    { title: 'Every item of the latest filing', expect: { least: 1 } },
    { title: 'The balance sheet', query: 'schedule=RC', expect: { least: 1 } },
  ],
})
