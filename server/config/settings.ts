import { access } from './access.ts'
import { clickhouse, memory, queries, storage } from './engine.ts'
import { fetching, ofEachSource } from './fetching.ts'
import type { Setting } from './kinds.ts'
import { listening, observing, requests } from './service.ts'

type Group = Readonly<Record<string, Setting<unknown>>>

/** Every setting by what it is about: the titles of the documentation. */
export const groups = {
  Listening: listening,
  'Log, metrics and traces': observing,
  'Data and its versions': storage,
  ClickHouse: clickhouse,
  'Read queries': queries,
  'Requests and answers': requests,
  'Caches and figures in memory': memory,
  'Keys and allowances': access,
  'Fetching from the agencies': fetching,
} as const satisfies Record<string, Group>

/** Every setting that the environment can give: the one table that code, documentation and tests read. */
export const settings = {
  ...listening,
  ...observing,
  ...storage,
  ...clickhouse,
  ...queries,
  ...requests,
  ...memory,
  ...access,
  ...fetching,
} as const satisfies Group

/** Settings of which there is one for each source. */
export const sourceSettings = ofEachSource satisfies Group
