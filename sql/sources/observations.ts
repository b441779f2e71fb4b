import { code, day, decimal, noted, optional } from './columns.ts'
import type { EditionRule, TableDeclaration } from './declare.ts'

/**
 * The table of all observations of time series, whichever source told them. A row is true from `learnt_at` until
 * `replaced_at`, so that what was known at any past moment can still be read.
 */
const columns = {
  series: code(''),
  date: day(''),
  value: optional(
    decimal('', {
      doc: 'Null: the publisher withdrew what it had published.',
      absent: ['.', 'NA', 'N/A', 'ND', 'NC', 'NULL', 'NAN'],
    }),
  ),
  revision: noted('UInt16', { doc: '1: the first value that was learnt.' }),
  learnt_at: noted("DateTime64(3, 'UTC')"),
  replaced_at: noted("DateTime64(3, 'UTC')", { doc: '2200-01-01 while in force.' }),
  watched_since: noted("DateTime64(3, 'UTC')", { doc: 'When the first value of the series was learnt.' }),
  file_sha256: noted('String', { doc: 'The file that told it; blank in the demo.' }),
}

/** The tables of a source whose files are wide tables of series. */
export const observations = ({
  span,
  ...of
}: Required<Pick<TableDeclaration, 'series' | 'form'>> & Pick<EditionRule, 'span'>): {
  observations: TableDeclaration
} => ({
  observations: {
    doc: 'A value of a series on a day, as it was known for a time.',
    columns,
    unique: ['series', 'date'],
    order: ['series', 'date', 'revision'],
    edition: { replaces: 'history', span: span ?? 'series' },
    time: { kind: 'day', column: 'date' },
    ...of,
  },
})
