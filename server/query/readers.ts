/** What is read of each value in the query of a request. */
import { suggest } from '../../sql/suggest.ts'
import type { Column } from '../catalog/columns.ts'
import type { Dataset } from '../catalog/define.ts'
import { parameterOf } from '../catalog/define.ts'
import { InvalidValue } from '../catalog/invalid-value.ts'
import type { Format } from '../formats/names.ts'
import { formatsOf } from '../formats/offered.ts'
import type { Bound } from './query.ts'
import type { SortKey } from './selection.ts'

/** What the query of a request says. */
export interface Given {
  readonly values: Map<string, unknown>
  readonly bounds: Bound[]
  fields?: string[]
  sort?: SortKey[]
  limit?: number
  format?: Format
  cursor?: string
}

/** Takes down what a text says. @returns the text that means the same in every spelling; undefined for a cursor, which is no part of the query */
type Reads = (given: Given, text: string, name: string, dataset: Dataset) => string | undefined

const readers = {
  parameter(given, text, name, { parameters }) {
    const declared = parameters[name]!
    const value = declared.parse(text)
    given.values.set(name, value)
    return declared.canonical?.(value) ?? String(value)
  },
  format(given, text, _, dataset) {
    given.format = readFormat(dataset, text)
    return given.format
  },
  fields(given, text, _, dataset) {
    given.fields = readFields(dataset, text)
    return given.fields.join(',')
  },
  sort(given, text, _, dataset) {
    given.sort = readSort(dataset, text)
    return given.sort.map((key) => `${key.descending ? '-' : ''}${key.column}`).join(',')
  },
  limit(given, text, _, dataset) {
    given.limit = readLimit(dataset, text)
    return String(given.limit)
  },
  cursor(given, text) {
    given.cursor = text
    return undefined
  },
  bound(given, text, name) {
    const value = readNumber(text)
    given.bounds.push({ column: name.slice(SIDE), side: name.startsWith('min_') ? 'min' : 'max', value })
    return String(value)
  },
} as const satisfies Record<string, Reads>

/** Characters of `min_` and `max_`. */
const SIDE = 4

/** What reads the value of a name; undefined for one that the dataset does not have. */
export function readerOf(dataset: Dataset, name: string): Reads | undefined {
  if (!dataset.pathParameters.includes(name) && parameterOf(dataset, name)) return readers.parameter
  if (name === 'format') return readers.format
  if (name === 'fields') return dataset.parts ? undefined : readers.fields
  if (dataset.result === 'many' && (name === 'sort' || name === 'limit' || name === 'cursor'))
    return readers[name]
  const sided = name.startsWith('min_') || name.startsWith('max_')
  return sided && dataset.bounded.has(name.slice(SIDE)) ? readers.bound : undefined
}

function readNumber(text: string): number {
  const value = Number(text)
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text.trim()) || !Number.isFinite(value)) {
    throw new InvalidValue('not a number', 'a number such as 500000 or -1.5')
  }
  return value
}

function readFormat(dataset: Dataset, text: string): Format {
  const offered = formatsOf(dataset)
  const found = offered.find((name) => name === text.toLowerCase())
  if (found) return found
  throw new InvalidValue('not a format of this dataset', offered, suggest(text, offered))
}

function readFields(dataset: Dataset, text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const fields = [...new Set(names)]
  for (const name of fields) knownColumn(dataset, name)
  return fields
}

function readSort(dataset: Dataset, text: string): SortKey[] {
  const keys = text.split(',').map((part) => {
    const name = part.trim()
    const descending = name.startsWith('-')
    const column = descending ? name.slice(1) : name
    if (knownColumn(dataset, column).type.startsWith('Array')) {
      throw new InvalidValue(`“${column}” is a list and has no order`)
    }
    return { column, descending }
  })
  return keys.filter((key, i) => keys.findIndex((other) => other.column === key.column) === i)
}

function knownColumn(dataset: Dataset, name: string): Column {
  const column = dataset.allColumns.get(name)
  if (column) return column
  const names = [...dataset.allColumns.keys()]
  throw new InvalidValue(
    `there is no column “${name.slice(0, 100)}”`,
    names.length > 60 ? `the columns of /docs/${dataset.key}` : names,
    suggest(name, names),
  )
}

function readLimit(dataset: Dataset, text: string): number {
  const most = dataset.limit?.most ?? 1_000_000
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < 1 || value > most) {
    throw new InvalidValue('not a whole number in range', `a whole number from 1 to ${most}`)
  }
  return value
}
