/** A string of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Strings of SQL with commas between, as `IN (…)` takes them. */
export const quotedAll = (values: readonly string[]): string => values.map(quoted).join(', ')

/** An array of strings of SQL. */
export const quotedList = (values: readonly string[]): string => `[${quotedAll(values)}]`
