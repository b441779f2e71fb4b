/** The table of XBRL facts, as EDGAR's company facts and the Financial Statement Data Sets both fill it. */
import { code, computed, day, decimal, optional, type SourceColumn, whole, words, year } from './columns.ts'
import type { TableDeclaration } from './declare.ts'
import { secFactsDemo } from './sec-facts-demo.ts'

export const FACTS = 'sec_facts'
/** The same in the order of concept and calendar period. */
export const FACTS_BY_PERIOD = 'sec_facts_by_period'

const repeated = (column: SourceColumn): SourceColumn => ({ ...column, repeated: true })

/** The last day of the calendar quarter before the one that a day is in. */
const quarterBefore = `addDays(makeDate32(toYear(end_date), toQuarter(end_date) * 3 - 2, 1), -1)`
const endOfQuarter = `addDays(addMonths(makeDate32(toYear(end_date), toQuarter(end_date) * 3 - 2, 1), 3), -1)`
const nearest = `if(dateDiff('day', ${quarterBefore}, end_date) < dateDiff('day', end_date, ${endOfQuarter}), ${quarterBefore}, ${endOfQuarter})`
const middle = `addDays(assumeNotNull(start_date), intDiv(days - 1, 2))`

/**
 * SQL of the calendar period that a fact fits, as EDGAR's frames name it: of an instant the nearest end of a quarter, of a
 * duration of a quarter or a year, give or take 30 days, the one that its middle is in; '' for any other duration.
 */
const frame = `multiIf(
  days = 0, concat('CY', toString(toYear(${nearest})), 'Q', toString(toQuarter(${nearest})), 'I'),
  days BETWEEN 61 AND 121, concat('CY', toString(toYear(${middle})), 'Q', toString(toQuarter(${middle}))),
  days BETWEEN 335 AND 395, concat('CY', toString(toYear(${middle}))),
  '')`

/** What a fact is told in: the columns of its file, which both sources name their own way. */
export type FactColumn =
  | 'cik'
  | 'taxonomy'
  | 'concept'
  | 'unit'
  | 'start_date'
  | 'end_date'
  | 'value'
  | 'fiscal_year'
  | 'fiscal_period'
  | 'form'
  | 'accession_number'
  | 'filed_date'

/** The columns as the headings of company facts have them. */
export const told: Readonly<Record<FactColumn, SourceColumn>> = {
  cik: whole('cik', { label: 'CIK', doc: 'Central Index Key: EDGAR’s number of the registrant.' }),
  taxonomy: code('taxonomy', {
    doc: '`us-gaap`, `dei`, `ifrs-full` …; `custom`: the registrant’s own.',
  }),
  concept: words('concept', { doc: 'Name of the element in its taxonomy, such as `Assets`.' }),
  unit: code('unit', { doc: '`USD`, `shares`, `USD/shares`, `pure` …' }),
  start_date: optional(
    day('start', { label: 'Start', doc: 'First day of a duration; null for an instant.' }),
  ),
  end_date: day('end', { label: 'End', doc: 'The day of an instant, or the last day of a duration.' }),
  value: decimal('val', { doc: 'As filed, in the unit: dollars are single dollars.' }),
  fiscal_year: optional(
    year('fy', {
      label: 'Fiscal year',
      doc: 'Of the filing: what it compares with is of earlier years.',
    }),
  ),
  fiscal_period: optional(code('fp', { label: 'Fiscal period', doc: 'Of the filing: Q1, Q2, Q3 or FY.' })),
  form: code('form', { doc: '10-Q, 10-K, 8-K …, with `/A` where it amends one.' }),
  accession_number: words('accn', {
    label: 'Accession number',
    doc: 'EDGAR’s number of the filing that tells it.',
  }),
  filed_date: day('filed', { label: 'Filed' }),
}

const ofThem: Readonly<Record<string, SourceColumn>> = {
  days: computed(
    'UInt16',
    `if(start_date IS NULL, 0, dateDiff('day', assumeNotNull(start_date), end_date) + 1)`,
    {
      label: 'Days',
      unit: 'days',
      doc: 'Length of the duration; 0: an instant.',
    },
  ),
  frame: repeated(
    computed('String', frame, {
      label: 'Calendar period',
      doc: 'Which the period fits, as EDGAR’s frames name it: CY2010, CY2010Q2, at its end CY2010Q2I; blank where none.',
    }),
  ),
}

/**
 * The table as a file fills it. A fact is one row however many sources tell it: the data sets round its period to months, so
 * what is equal once it is rounded is the same, and company facts win.
 */
export const factTable = (
  columns: Readonly<Record<FactColumn, SourceColumn>>,
  replaces: 'upsert' | 'nothing',
  rest: Partial<TableDeclaration>,
  read: Readonly<Record<string, SourceColumn>> = {},
): TableDeclaration => ({
  doc: 'A figure that a registrant filed in XBRL, of the whole registrant: those of segments and other members are left out.',
  columns: { ...read, ...columns, ...ofThem },
  checks: {
    "start_date IS NULL OR (start_date <= end_date AND dateDiff('day', assumeNotNull(start_date), end_date) < 20000)": `concat('its period is from ', toString(start_date), ' to ', toString(end_date))`,
  },
  unique: ['cik', 'concept', 'taxonomy', 'unit', 'end_date', 'days', 'accession_number', 'value'],
  // few partitions: the keys of one are held at a time
  partition: 'cik % 8',
  granule: 1024,
  also: {
    [FACTS_BY_PERIOD]: {
      order: [
        'concept',
        'frame',
        'cik',
        'taxonomy',
        'unit',
        'filed_date',
        'accession_number',
        'end_date',
        'days',
        'value',
      ],
    },
  },
  edition: {
    replaces,
    same: [
      `sipHash128(cik, concept, taxonomy, unit, accession_number, toLastDayOfMonth(addDays(end_date, -15)), round(days / 91.3))`,
    ],
  },
  time: { kind: 'day', column: 'filed_date' },
  demo: secFactsDemo,
  ...rest,
})
