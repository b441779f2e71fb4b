import { universes } from '../../../sql/universes/index.ts'
import { wordsOf } from '../../../sql/words.ts'

/** Tables whose rows are divided between the shards, each with the institution's number by which they are. */
export const divided: ReadonlyMap<string, string> = new Map(
  universes.flatMap(({ byInstitution, id }) => byInstitution.map((table) => [table, id] as const)),
)

/** A statement about a table itself rather than about rows. */
export interface Definition {
  readonly verb: 'CREATE' | 'DROP' | 'TRUNCATE' | 'ALTER' | 'OPTIMIZE'
  readonly table: string
  /** Whether it changes columns: what stands for the table elsewhere is to be made anew. */
  readonly columns: boolean
}

const COMMENTS = /^(?:\s|--[^\n]*\n)*/
const ABOUT =
  /^(CREATE|DROP|TRUNCATE|ALTER|OPTIMIZE)\s+(?:OR\s+REPLACE\s+)?TABLE\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?`?(\w+)`?/i
const COLUMNS = /\b(?:ADD|MODIFY|DROP|RENAME)\s+COLUMN\b/i
const INSERTED = /^INSERT\s+INTO\s+`?\w+`?/i
const VIEW = /^CREATE\s+(?:OR\s+REPLACE\s+)?VIEW\s+`?(\w+)`?/i

/** What a statement defines, where it is of a divided table. */
export function definitionIn(sql: string): Definition | undefined {
  const text = begun(sql)
  const [, verb, table] = ABOUT.exec(text) ?? []
  if (!verb || !divided.has(table!)) return undefined
  return { verb: verb.toUpperCase() as Definition['verb'], table: table!, columns: COLUMNS.test(text) }
}

/** The view that a statement makes. */
export const viewIn = (sql: string): string | undefined => VIEW.exec(begun(sql))?.[1]

/** Every word of it that may name what it reads. */
export const wordsRead = (sql: string): string[] => wordsOf(begun(sql).replace(INSERTED, ''))

/** From its first word. */
const begun = (sql: string): string => sql.slice(COMMENTS.exec(sql)![0].length)
