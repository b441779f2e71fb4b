import { code, flag, longDate, over, reportDate, strings, text } from '../columns.ts'

/** What is known of one MDRM code. */
export const mdrmDefinition = [
  code('code', 'MDRM code', { doc: 'Series mnemonic (4 letters) and item number.' }),
  text('name', 'Name', { nullable: true, doc: 'In the MDRM, else the caption of the form.' }),
  strings('forms', 'Reporting forms', { doc: 'As the MDRM lists them.' }),
  strings('schedules', 'Schedules', {
    doc: 'Call Report schedules that carried the item in the quarters held.',
  }),
  over(reportDate, {
    name: 'first_quarter',
    label: 'First quarter',
    nullable: true,
    doc: 'The earliest quarter held with the item on a schedule.',
  }),
  over(reportDate, {
    name: 'last_quarter',
    label: 'Last quarter',
    nullable: true,
    doc: 'The latest quarter held with the item on a schedule.',
  }),
  longDate('start_date', 'Start', { nullable: true, doc: 'First day of validity in the MDRM.' }),
  longDate('end_date', 'End', { nullable: true, doc: 'Last day of validity; null while in use.' }),
  flag('confidential', 'Confidential', { nullable: true }),
] as const
