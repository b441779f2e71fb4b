/** What a publish works out from the rows of a version, as steps of which only those that are due are made. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Shards } from '../derive/shards.ts'
import { runTasks } from '../derive/tasks.ts'
import { type Changes, writtenBy } from './changes.ts'

/** A version in which steps are made. Without `changes` there is none to compare with: every step is due. */
export interface Making {
  readonly client: ClickHouseClient
  readonly changes?: Changes
  /** Where the rows of institutions are divided between servers. */
  readonly shards?: Shards
}

/** Tables made by SQL from other tables. What it reads is found in the SQL. */
export interface Step {
  /** What it is recorded as: no two of a version have the same. */
  readonly name: string
  /** Tables that it makes anew, each with what follows its name in CREATE TABLE. */
  readonly makes?: Readonly<Record<string, string>>
  /** Of a table that several steps fill, the partition that this one makes anew. */
  readonly within?: { readonly table: string; readonly partition: string }
  /** What fills them, in turn. */
  readonly fill: readonly string[]
  /** Tables without whose rows there is nothing to fill them with. */
  readonly needs?: readonly string[]
  /** Anything else that makes the step another one. */
  readonly follows?: string
  readonly settings?: Readonly<Record<string, string | number>>
  /** Values of parameters, which do not make it another one. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** All that a step is made by. */
const textsOf = ({ makes = {}, within, fill, needs = [], follows = '', settings = {} }: Step): string[] => [
  ...Object.entries(makes).flat(),
  within ? `${within.table} ${within.partition}` : '',
  ...needs,
  ...fill,
  follows,
  JSON.stringify(settings),
]

/** Makes, one after the other, those of the steps that are due. @returns whether any was */
export async function makeSteps(making: Making, steps: readonly Step[]): Promise<boolean> {
  let any = false
  for (const step of steps) {
    if (!(await isDue(making, step))) continue
    await make(making, step)
    any = true
  }
  return any
}

/** The same of steps that read nothing of each other's, some at once. */
export async function makeAtOnce(making: Making, steps: readonly Step[], atOnce: number): Promise<void> {
  const due: Step[] = []
  for (const step of steps) if (await isDue(making, step)) due.push(step)
  await runTasks(
    due.map((step) => ({ name: step.name, run: () => make(making, step) })),
    atOnce,
  )
}

async function isDue({ changes }: Making, step: Step): Promise<boolean> {
  const writes = Object.keys(step.makes ?? {})
  return !changes || (await changes.kept(step.name, textsOf(step), writes)) === undefined
}

async function make({ client, changes }: Making, step: Step): Promise<void> {
  const { makes = {}, within, fill, needs = [], settings = {}, parameters = {} } = step
  const run = (query: string) =>
    client.command({ query, query_params: parameters, clickhouse_settings: settings as never })
  for (const [table, definition] of Object.entries(makes))
    await run(`CREATE OR REPLACE TABLE ${table} ${definition}`)
  if (within) await run(`ALTER TABLE ${within.table} DROP PARTITION ${within.partition}`)
  if (await (changes?.hold(needs) ?? allHold(client, needs))) for (const query of fill) await run(query)
  changes?.written([...Object.keys(makes), ...(within ? [within.table] : []), ...fill.flatMap(writtenBy)])
  changes?.record(step.name, textsOf(step))
}

async function allHold(client: ClickHouseClient, tables: readonly string[]): Promise<boolean> {
  if (tables.length === 0) return true
  const found = await client.query({
    query: `SELECT count() AS empty FROM system.tables WHERE database = currentDatabase() AND name IN {tables:Array(String)} AND total_rows = 0`,
    query_params: { tables: [...tables] },
    format: 'JSONEachRow',
  })
  return Number((await found.json<{ empty: string }>())[0]!.empty) === 0
}

/** The answer of a query, or the one that it had in the version before where that is still the same. */
export async function answerOf<T>({ client, changes }: Making, name: string, query: string): Promise<T[]> {
  const held = await changes?.kept(name, [query])
  if (held !== undefined) return JSON.parse(held)
  const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<T>()
  changes?.record(name, [query], JSON.stringify(rows))
  return rows
}
