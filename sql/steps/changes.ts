import type { ClickHouseClient } from '@clickhouse/client'
import { hashOf } from '../hash.ts'
import { rowsOf } from '../rows.ts'
import { wordsOf } from '../words.ts'

/** What a step was made with, in each version for the next one that is cloned from it. */
export const STEPS_MADE = 'steps_made'

/** Bytes on the disk up to which a table that was written again is compared with what it was; a larger one counts as changed. */
const COMPARED = 256 * 2 ** 20

/** SQL that says something else tomorrow, and SQL that does each time. */
const DATED = /\btoday\(/i
const CHANGING = /\b(?:now|now64|yesterday|rand\w*|generateUUID\w*)\(/i

interface Relation {
  name: string
  /** The parts of a table, in which equal rows written alike are equal; of a view its SELECT. */
  state: string
  definition: string
  /** Both are null where the engine cannot tell without reading. */
  rows: string | null
  bytes: string | null
}
type Look = ReadonlyMap<string, Relation>
interface Recorded {
  hash: string
  value: string
}

/**
 * What of a version being built differs from the published one that it was cloned from. A statement reads what it names,
 * and what the views read that it names: this is taken from its text, so that nobody has to declare it or can forget it.
 */
export class Changes {
  readonly #client: ClickHouseClient
  readonly #database: string
  readonly #base: string
  readonly #before: Look
  readonly #day: string
  readonly #recorded: ReadonlyMap<string, Recorded>
  readonly #made = new Map<string, Recorded>()
  #now: Promise<Look> | undefined
  /** What was written since it was looked at. */
  readonly #stale = new Set<string>()
  readonly #known = new Map<string, Promise<boolean>>()
  readonly #compared = new Map<string, Promise<boolean>>()

  private constructor(
    client: ClickHouseClient,
    database: string,
    base: string,
    before: Look,
    day: string,
    recorded: ReadonlyMap<string, Recorded>,
  ) {
    this.#client = client
    this.#database = database
    this.#base = base
    this.#before = before
    this.#day = day
    this.#recorded = recorded
  }

  /**
   * Notes how a clone is before anything in it changes. Merges of parts count from here: they change no rows.
   * @param base the database that it was cloned from; null where it starts empty
   */
  static async since(client: ClickHouseClient, database: string, base: string | null): Promise<Changes> {
    const [{ day } = { day: '' }] = await rowsOf<{ day: string }>(client, 'SELECT toString(today()) AS day')
    if (base === null) return new Changes(client, database, '', new Map(), day, new Map())
    const [tables, views] = await Promise.all([
      look(client, database),
      look(client, base, { viewsOnly: true }),
    ])
    const relations = new Map([...views, ...tables])
    const recorded = new Map<string, Recorded>()
    // what the version before did not look at when it was published says nothing of what it holds
    if (relations.has(STEPS_MADE))
      for (const { name, ...record } of await rowsOf<Recorded & { name: string }>(
        client,
        `SELECT name, hash, value FROM ${STEPS_MADE} WHERE version = {base:String}`,
        { base },
      ))
        recorded.set(name, record)
    return new Changes(client, database, base, relations, day, recorded)
  }

  /** To be told when something was written: it is looked at anew. @param tables without them, any may be other */
  written(tables?: readonly string[]): void {
    if (!tables) {
      this.#now = undefined
      this.#known.clear()
      return
    }
    for (const table of tables) {
      this.#stale.add(table)
      this.#known.delete(table)
    }
  }

  /** Whether the version being built has all these tables. */
  async has(tables: readonly string[]): Promise<boolean> {
    const relations = await this.#look(tables)
    return tables.every((table) => relations.has(table))
  }

  /** Whether none of these tables is without a row. */
  async hold(tables: readonly string[]): Promise<boolean> {
    const relations = await this.#look(tables)
    return tables.every((table) => relations.get(table)?.rows !== '0')
  }

  /**
   * Keeps what was recorded of `name` in the version before, and returns it, where that was made by the same SQL and nothing
   * that this reads, and none of the tables that it wrote, is other than it was; else undefined.
   */
  async kept(
    name: string,
    texts: readonly string[],
    writes: readonly string[] = [],
  ): Promise<string | undefined> {
    const record = this.#recorded.get(name)
    if (!record || record.hash !== this.#hash(texts)) return
    if (!(await this.has(writes))) return
    if (await this.#anyChanged([...writes, ...texts.flatMap(wordsOf)])) return
    this.#made.set(name, record)
    return record.value
  }

  /** Records, for the version that is cloned from this one, what was made by which SQL. */
  record(name: string, texts: readonly string[], value = ''): void {
    const changing = texts.find((text) => CHANGING.test(text))?.match(CHANGING)?.[0]
    if (changing)
      throw new Error(`${name}: ${changing}) says something else each time: nothing made with it can be kept`)
    this.#made.set(name, { hash: this.#hash(texts), value })
  }

  /** Writes what was recorded into the version, which is published with it. */
  async write(): Promise<void> {
    if (this.#made.size === 0) return
    await this.#client.command({
      query: `CREATE OR REPLACE TABLE ${STEPS_MADE} (name String, hash String, value String, version String) ENGINE = MergeTree ORDER BY name`,
    })
    await this.#client.insert({
      table: STEPS_MADE,
      format: 'JSONEachRow',
      values: [...this.#made].map(([name, record]) => ({ name, ...record, version: this.#database })),
    })
  }

  /** The day is that of the beginning: what is made after midnight is made again rather than kept too long. */
  #hash(texts: readonly string[]): string {
    return hashOf([texts, texts.some((text) => DATED.test(text)) ? this.#day : ''])
  }

  /** How the build is, with regard to the tables and views of these names. */
  #look(names: readonly string[]): Promise<Look> {
    if (!this.#now) {
      this.#stale.clear()
      this.#now = look(this.#client, this.#database)
    } else if (names.some((name) => this.#stale.has(name))) {
      this.#now = this.#lookAgain(this.#now, [...this.#stale])
      this.#stale.clear()
    }
    return this.#now
  }

  async #lookAgain(last: Promise<Look>, names: readonly string[]): Promise<Look> {
    const found = await look(this.#client, this.#database, { names })
    const seen = new Map(await last)
    for (const name of names) seen.delete(name)
    return new Map([...seen, ...found])
  }

  /** Whether any of the tables and views of these names is other than it was, or what such a view reads. */
  async #anyChanged(names: Iterable<string>): Promise<boolean> {
    // a set may grow while it is gone through
    const reached = new Set(names)
    for (const name of reached) {
      if (await this.#changed(name)) return true
      const relation = (await this.#look([name])).get(name)
      if (relation?.definition === 'View') for (const word of wordsOf(relation.state)) reached.add(word)
    }
    return false
  }

  #changed(name: string): Promise<boolean> {
    const known = this.#known.get(name)
    if (known) return known
    const found = this.#differs(name)
    this.#known.set(name, found)
    return found
  }

  /** Of a view, whether it itself does. */
  async #differs(name: string): Promise<boolean> {
    const before = this.#before.get(name)
    const now = (await this.#look([name])).get(name)
    // views are made anew after the figures: until then nothing can read them
    if (!now && before?.definition === 'View') return false
    if (!before || !now) return before !== now
    if (before.definition !== now.definition) return true
    if (now.definition === 'View')
      return before.state !== now.state || DATED.test(now.state) || CHANGING.test(now.state)
    if (before.state === now.state) return false
    if (before.rows === null || before.rows !== now.rows || Number(now.bytes) > COMPARED) return true
    const written = `${name} ${now.state}`
    const compared = this.#compared.get(written) ?? this.#holdsOthers(name)
    this.#compared.set(written, compared)
    return compared
  }

  /** A table that was written again may have the same rows in other parts. */
  async #holdsOthers(name: string): Promise<boolean> {
    const contents = (database: string) =>
      `(SELECT (count(), sum(sipHash64(tuple(*)))) FROM ${database}.\`${name}\`)`
    const [found] = await rowsOf<{ same: number }>(
      this.#client,
      `SELECT toUInt8(${contents(this.#base)} = ${contents(this.#database)}) AS same`,
    )
    return found!.same !== 1
  }
}

/** Names of the tables and views that a statement writes. */
export const writtenBy = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:INTO|TABLE|VIEW) (?:IF (?:NOT )?EXISTS )?(\w+)/gi)].map((match) => match[1]!)

async function look(
  client: ClickHouseClient,
  database: string,
  { names = [], viewsOnly = false }: { names?: readonly string[]; viewsOnly?: boolean } = {},
): Promise<Look> {
  const among = (column: string) => (names.length > 0 ? ` AND ${column} IN {names:Array(String)}` : '')
  const found = await rowsOf<Relation>(
    client,
    `SELECT t.name AS name, toString(t.total_rows) AS rows, toString(t.total_bytes) AS bytes,
       if(t.engine = 'View', 'View', hex(sipHash128(replaceAll(t.create_table_query, concat(t.database, '.'), '')))) AS definition,
       multiIf(t.engine = 'View', replaceAll(t.as_select, concat(t.database, '.'), ''), t.engine LIKE '%MergeTree', toString(p.parts), toString(generateUUIDv4())) AS state
     FROM system.tables AS t
     LEFT JOIN (
       SELECT table, arraySort(groupArray(hash_of_all_files)) AS parts FROM system.parts
       WHERE active AND database = {database:String}${among('table')} GROUP BY table
     ) AS p ON p.table = t.name
     WHERE t.database = {database:String}${among('t.name')}${viewsOnly ? " AND t.engine = 'View'" : ''}`,
    { database, names: [...names] },
  )
  return new Map(found.map((one) => [one.name, one]))
}
