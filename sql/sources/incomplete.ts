/** Editions that were taken though they lack files: what the manifest of loads says of them. */

/** A quarter of a source, and the files of it that are not there: what they would tell is null. */
export interface Incomplete {
  readonly source: string
  readonly report_date: string
  readonly lacks: readonly string[]
}

const WITHOUT = 'without '

/** What stands in `load_files.part` of such an edition. */
export const withoutFiles = (lacking: readonly string[]): string => WITHOUT + lacking.join(', ')

/** Those in force, of whatever source: `source, report_date, lacks`, the last as an array of the files that are not there. */
export const incompleteSql = `
SELECT source, report_date, splitByString(', ', substring(part, ${WITHOUT.length + 1})) AS lacks
FROM load_files WHERE in_force AND report_date IS NOT NULL AND startsWith(part, '${WITHOUT}')
ORDER BY source, report_date`
