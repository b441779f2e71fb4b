import { code, column, figure, reportDate, rssdId, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { anyOf, asOf, bank } from '../../catalog/parameters.ts'

export default dataset({
  key: 'bank-deep-dive',
  summary:
    'Every Call Report item of one filing and every line of its UBPR, in the order of form and report, with a quarter and a year before.',
  notes:
    'Items are as filed: amounts in thousands of US dollars, ratios in percent, income items year to date. An item that the bank left blank has no row. Items that are text have `text` in place of `value`. The pages of the UBPR are the schedules UBPR01 to UBPR13B, UBPRT01 and UBPRT01A; UBPRX has the concepts that no page shows. How the bank stands in its peer group is bank-ubpr-ranks. While no UBPR guide is loaded, UBPRX has the concepts of the metric catalog.',
  from: 'SELECT * FROM bank_deep_dive(rssd_id = {rssd_id:UInt32}, as_of = {as_of:Date})',
  grain: ['schedule', 'mdrm', 'position'],
  order: ['schedule', 'position'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    as_of: asOf({ where: null }),
    schedule: {
      ...anyOf('schedule', {
        doc: 'Schedule of the report, or page of the UBPR, or several by comma; UBPR stands for all its pages.',
        pattern: /^[A-Z0-9]{1,12}$/,
        form: 'schedules such as RC or RCCI',
        upper: true,
        example: 'RC',
      }),
      where:
        "(has({schedule:Array(String)}, schedule) OR startsWith(schedule, 'UBPR') AND has({schedule:Array(String)}, 'UBPR'))",
    },
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
    text('page', 'Page', {
      nullable: true,
      doc: 'Name of the UBPR’s page; null for items of the Call Report.',
    }),
    code('mdrm', 'MDRM code'),
    text('description', 'Description', {
      nullable: true,
      doc: 'As the form calls it in that quarter, else the name in the MDRM.',
    }),
    column('UInt16', 'position', 'Position', {
      doc: 'Place on the schedule; 65535 where the form has no line for it.',
    }),
    figure('value', 'Value', { doc: 'Null where the item is text.' }),
    text('unit', 'Unit', {
      nullable: true,
      doc: 'Of a line of the UBPR; null for items of the Call Report.',
    }),
    text('text', 'Text', { nullable: true }),
    figure('prior_quarter', 'Prior quarter', { doc: 'The same item one quarter before.' }),
    figure('year_ago', 'Year ago', { doc: 'The same item four quarters before.' }),
  ],
  sources: ['ffiec-call-report', 'mdrm', 'ubpr-formulas'],
  examples: [
    { title: 'Every item of the latest filing', expect: { least: 1 } },
    { title: 'The balance sheet', query: 'schedule=RC', expect: { least: 1 } },
    { title: 'One ratio of the UBPR', query: 'codes=UBPRE013', expect: { least: 1 } },
  ],
})
