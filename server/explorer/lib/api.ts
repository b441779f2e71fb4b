/** The server, by its own client. What a view asks is written down, so that the view can show it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { endpoints } from '../../../clients/typescript/src/datasets.ts'
import {
  type Answer,
  Client,
  type ColumnOf,
  type DatasetKey,
  type Meta,
  type ParametersOf,
  Problem,
} from '../../../clients/typescript/src/index.ts'
import { type Store, store } from './store.ts'

export { Problem } from '../../../clients/typescript/src/index.ts'
export type { DatasetKey, Meta, ParametersOf }

/** Seconds; a reader rather hears that the server is busy. */
const LONGEST_WAIT = 3
const KEY = 'key'

/** The key of this tab: gone with it, and never part of an address. */
export const apiKey: Store<string> = store(sessionStorage.getItem(KEY) ?? '')

const clientOf = (key: string): Client =>
  new Client({ baseUrl: location.origin, maxWait: LONGEST_WAIT, ...(key !== '' && { apiKey: key }) })
let client = clientOf(apiKey.get())

export function holdKey(key: string): void {
  if (key === '') sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, key)
  client = clientOf(key)
  apiKey.set(key)
}

/** A question of the view in front, as it is shown. */
export interface Query {
  readonly title: string
  readonly key: DatasetKey
  readonly parameters: Readonly<Record<string, unknown>>
  /** The address, without a format. */
  readonly address: string
}

/** The questions of the view in front, by their title. */
export const queries: Store<ReadonlyMap<string, Query>> = store(new Map())
/** Whether what is shown is of the demo universe: as the page itself says at first, then as each answer does. */
export const synthetic: Store<boolean> = store(document.querySelector('meta[name=synthetic]') !== null)

export function noteQuery(query: Query): () => void {
  queries.set(new Map(queries.get()).set(query.title, query))
  return () => {
    const left = new Map(queries.get())
    if (left.get(query.title) === query) left.delete(query.title)
    queries.set(left)
  }
}

const noteMeta = (meta: Meta): void => {
  if (synthetic.get() !== meta.synthetic) synthetic.set(meta.synthetic)
}

type DataOf<Key extends DatasetKey> = Awaited<ReturnType<typeof client.get<Key, ColumnOf<Key>>>>['data']

/** `answer` stays that of the question before until the next one is there. */
export interface Asked<Data> {
  readonly answer: Answer<Data> | null
  readonly problem: Error | null
  readonly waiting: boolean
  again(): void
}

/**
 * What a dataset answers; nothing is asked where `parameters` is null.
 * @param title of the query where the page shows it; without one it does not
 */
export function useAnswer<Key extends DatasetKey>(
  title: string,
  key: Key,
  parameters: ParametersOf<Key> | null,
): Asked<DataOf<Key>> {
  return useAsked(title, key, parameters, () => client.get(key, parameters!) as Promise<Answer<DataOf<Key>>>)
}

/** What a dataset answers to several questions, in their order, null where nobody is known; else one that fails fails all. */
export function useEach<Key extends DatasetKey>(
  title: string,
  key: Key,
  each: readonly ParametersOf<Key>[],
): Asked<readonly (DataOf<Key> | null)[]> {
  const asked = useAsked('', key, each.length > 0 ? each : null, async () => {
    let unknown: unknown
    const answers = await Promise.all(
      each.map((one) =>
        (client.get(key, one) as Promise<Answer<DataOf<Key>>>).catch((problem: unknown) => {
          if (!isProblem(problem, 'not-found')) throw problem
          unknown = problem
          return null
        }),
      ),
    )
    const known = answers.find((one) => one !== null)
    if (!known) throw unknown
    return { ...known, data: answers.map((one) => one?.data ?? null), all: answers }
  })
  const { answer } = asked
  useEffect(() => {
    const all = (answer as { all?: readonly (Answer<unknown> | null)[] } | null)?.all ?? []
    const forgets = all.flatMap((one, i) => {
      const parameters = each[i] as Query['parameters']
      if (!one) return []
      return [
        noteQuery({ title: `${title} ${i + 1}`, key, parameters, address: plainAddress(one.links.self) }),
      ]
    })
    return () => {
      for (const forget of forgets) forget()
    }
  }, [answer])
  return asked
}

/** Columns as arrays, in which thousands of rows weigh little. */
export interface Columns {
  readonly columns: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  readonly rows: number
}

/**
 * Rows by a column; what has no value stands last. Sorts `rows` itself.
 * @param sort a column, with `-` before it where the largest is first
 */
export function inOrder({ columns }: Columns, rows: number[], sort: string): number[] {
  const by = columns[sort.replace('-', '')]
  if (!by) return rows
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.sort((a, b) => {
    const [x, y] = [by[a]!, by[b]!]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return x === y ? a - b : (x < y ? -1 : 1) * sign
  })
}

/** A dataset of rows as columns. */
export function useColumns<Key extends DatasetKey>(
  title: string,
  key: Key,
  parameters: ParametersOf<Key> | null,
): Asked<Columns> {
  return useAsked(title, key, parameters, () => askColumns(key, parameters!))
}

export async function askColumns<Key extends DatasetKey>(
  key: Key,
  parameters: ParametersOf<Key>,
): Promise<Answer<Columns>> {
  const response = await client.response(key, parameters, 'columns')
  const answer = (await response.json()) as Answer<Columns['columns']>
  return { ...answer, data: { columns: answer.data, rows: answer.meta.count } }
}

function useAsked<Data>(
  title: string,
  key: DatasetKey,
  parameters: object | null,
  ask: () => Promise<Answer<Data>>,
): Asked<Data> {
  const [state, setState] = useState<Omit<Asked<Data>, 'again'>>({
    answer: null,
    problem: null,
    waiting: parameters !== null,
  })
  const [tries, setTries] = useState(0)
  const holder = apiKey.use()
  const asking = useRef(ask)
  asking.current = ask
  const text = parameters && JSON.stringify(parameters)
  useEffect(() => {
    if (text === null) return setState({ answer: null, problem: null, waiting: false })
    let over = false
    let forget = (): void => {}
    setState((before) => ({ ...before, problem: null, waiting: true }))
    asking.current().then(
      (answer) => {
        if (over) return
        noteMeta(answer.meta)
        if (title !== '')
          forget = noteQuery({
            title,
            key,
            parameters: JSON.parse(text),
            address: plainAddress(answer.links.self),
          })
        setState({ answer, problem: null, waiting: false })
      },
      (problem: Error) => over || setState({ answer: null, problem, waiting: false }),
    )
    return () => {
      over = true
      forget()
    }
  }, [title, key, text, holder, tries])
  return { ...state, again: () => setTries(tries + 1) }
}

/** The address of an answer without its format. */
export function plainAddress(address: string): string {
  const url = new URL(address, location.origin)
  url.searchParams.delete('format')
  return url.pathname + url.search.replaceAll('%2C', ',')
}

/**
 * Notes questions that answer with rows of the view as tables, where the view itself reads them in one piece with others:
 * nothing is asked. None are noted while `tables` is null.
 */
export function useTables(tables: readonly Omit<Query, 'address'>[] | null): void {
  const text = JSON.stringify(tables)
  useEffect(() => {
    const forgets = (tables ?? []).map((table) => noteQuery({ ...table, address: askedAt(table) }))
    return () => {
      for (const forget of forgets) forget()
    }
  }, [text])
}

/** The address of a question, as the API writes it. */
export function askedAt({ key, parameters }: Omit<Query, 'address'>): string {
  const given = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
  const path = endpoints[key][0].replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = given.get(name)
    given.delete(name)
    return encodeURIComponent(text ?? '')
  })
  return plainAddress(given.size > 0 ? `${path}?${given}` : path)
}

/** Files that an answer can be had as, by their extension. */
export const fileNames = { csv: 'CSV', xlsx: 'Excel', arrow: 'Arrow', json: 'JSON' } as const
export type FileFormat = keyof typeof fileNames

/** Hands the bytes of a query to the reader as a file. */
export async function download({ key, parameters }: Query, format: FileFormat): Promise<void> {
  const response = await client.response(key, parameters as never, format)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = `${key}.${format}`
  link.click()
  URL.revokeObjectURL(address)
}

export const isProblem = (error: unknown, code: string): error is Problem =>
  error instanceof Problem && error.code === code
