import { suggest } from '../../sql/suggest.ts'
import { API_ROOT } from '../catalog/catalog.ts'
import type { Column } from '../catalog/columns.ts'
import type { Dataset } from '../catalog/define.ts'
import { parameterOf } from '../catalog/define.ts'
import { InvalidValue } from '../catalog/invalid-value.ts'
import type { Fault } from '../errors.ts'
import { Problem } from '../errors.ts'
import type { Format } from '../formats/names.ts'
import { formatsOf } from '../formats/offered.ts'
import { decodeCursor } from './cursor.ts'
import { orderOf } from './order.ts'
import { START } from './place.ts'
import type { Bound, Query } from './query.ts'
import type { SortKey } from './selection.ts'

/** A request of nothing but faults costs no more than these. */
const MOST_FAULTS = 20
/** Of them so many are looked up for what was meant: a dataset has names by the hundred, and each is compared. */
const MOST_MEANT = 3

type Texts = Readonly<Record<string, string | string[] | undefined>>

/**
 * Reads path and query of a request against the declaration. Collects the faults, up to a number that helps
 * anybody, before it throws `invalid-parameter`; a path value that names nothing is `not-found`.
 */
export function parse(dataset: Dataset, path: Texts, query: Texts, dataVersion: string): Query {
  const faults: Fault[] = []
  const values = new Map<string, unknown>()
  const spelled: string[] = []
  const bounds: Bound[] = []
  const frame: { fields?: string[]; sort?: SortKey[]; limit?: number; format?: Format } = {}
  let cursor: string | undefined

  const canonicalPath = readPath(dataset, path, values, faults)
  for (const name of Object.keys(query).sort()) {
    if (faults.length >= MOST_FAULTS) break
    const text = query[name]
    const attempt = (read: (text: string) => string | undefined): void => {
      try {
        if (typeof text !== 'string')
          throw new InvalidValue('given more than once', 'one value, or several by comma')
        if (text.trim() === '') throw new InvalidValue('has no value')
        const canonical = read(text)
        if (canonical !== undefined) spelled.push(`${name}=${encode(canonical)}`)
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error
        faults.push(fault(name, error))
      }
    }
    const declared = dataset.pathParameters.includes(name) ? undefined : parameterOf(dataset, name)
    const bound = declared ? undefined : boundOf(dataset, name)
    if (declared) {
      attempt((given) => {
        const value = declared.parse(given)
        values.set(name, value)
        return declared.canonical?.(value) ?? String(value)
      })
    } else if (name === 'format')
      attempt((given) => {
        frame.format = readFormat(dataset, given)
        return frame.format
      })
    else if (name === 'fields' && !dataset.parts) {
      attempt((given) => {
        frame.fields = readFields(dataset, given)
        return frame.fields.join(',')
      })
    } else if (dataset.result === 'many' && name === 'sort') {
      attempt((given) => {
        frame.sort = readSort(dataset, given)
        return frame.sort.map((key) => `${key.descending ? '-' : ''}${key.column}`).join(',')
      })
    } else if (dataset.result === 'many' && name === 'limit') {
      attempt((given) => {
        frame.limit = readLimit(dataset, given)
        return String(frame.limit)
      })
    } else if (dataset.result === 'many' && name === 'cursor') {
      attempt((given) => {
        cursor = given
        return undefined
      })
    } else if (bound) {
      attempt((given) => {
        const value = readNumber(given)
        bounds.push({ ...bound, value })
        return String(value)
      })
    } else faults.push(unknown(dataset, name, faults.length < MOST_MEANT))
  }
  conflicts(dataset, values, bounds, faults)
  const canonical = spelled.join('&')
  const limit = frame.limit ?? dataset.limit?.default
  const order = orderOf(dataset, frame.sort)
  let place = START
  if (cursor !== undefined && faults.length === 0) {
    try {
      const asked = `${canonicalPath}?${canonical}`
      place = decodeCursor(cursor, { dataset, order, canonical: asked, dataVersion })
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      faults.push(fault('cursor', error))
    }
  }
  if (faults.length > 0) throw refuse(faults)
  for (const [name, parameter] of Object.entries(dataset.parameters)) {
    if (parameter.default === undefined || values.has(name)) continue
    if (name === 'quarters' && values.has('from')) continue
    values.set(name, parameter.default)
  }
  return {
    dataset,
    values,
    bounds,
    fields: frame.fields,
    order,
    limit,
    place,
    cursor: cursor ?? '',
    format: frame.format,
    path: canonicalPath,
    canonical,
  }
}

/** The problem for one or more faults; the detail reads well on its own. */
export function refuse(faults: readonly Fault[]): Problem {
  const detail = faults
    .map((one) => {
      const meant = one.did_you_mean === undefined ? '' : `; did you mean “${one.did_you_mean}”?`
      return `${one.parameter}: ${one.reason}${expected(one.allowed)}${meant}`
    })
    .join('. ')
  return new Problem('invalid-parameter', detail, { errors: faults })
}

/** Longer lists than this are in `errors` alone. */
const LONGEST_LIST = 15

function expected(allowed: Fault['allowed']): string {
  if (allowed === undefined || allowed.length === 0) return ''
  if (typeof allowed === 'string') return `, expected ${allowed}`
  return allowed.length > LONGEST_LIST ? '' : `, expected one of ${allowed.join(', ')}`
}

function readPath(dataset: Dataset, path: Texts, values: Map<string, unknown>, faults: Fault[]): string {
  const replaced = dataset.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = dataset.parameters[name]!
    const text = String(path[name] ?? '')
    try {
      const value = parameter.parse(text)
      values.set(name, value)
      return encodeURIComponent(parameter.canonical?.(value) ?? String(value))
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      if (parameter.noun) {
        const meant = error.didYouMean === undefined ? '' : `; did you mean “${error.didYouMean}”?`
        const what = `${parameter.noun} “${text.slice(0, 100)}”${expected(error.allowed)}`
        throw new Problem('not-found', `there is no ${what}${meant}`)
      }
      faults.push(fault(name, error))
      return encodeURIComponent(text)
    }
  })
  return `${API_ROOT}${replaced}`
}

function boundOf(dataset: Dataset, name: string): Omit<Bound, 'value'> | undefined {
  const side = name.startsWith('min_') ? 'min' : name.startsWith('max_') ? 'max' : undefined
  if (!side) return undefined
  const column = name.slice(4)
  return dataset.bounded.has(column) ? { column, side } : undefined
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

const ofRows = ['sort', 'limit', 'cursor']

function unknown(dataset: Dataset, name: string, meant: boolean): Fault {
  const frame = dataset.parts ? [] : ['fields']
  if (dataset.result === 'many') frame.push(...ofRows)
  const plain = Object.keys(dataset.parameters).filter((one) => !dataset.pathParameters.includes(one))
  const allowed = [...plain, 'format', ...frame]
  const likely = meant ? suggest(name, [...allowed, ...boundsLike(name, dataset)]) : undefined
  if (dataset.bounded.size > 0) allowed.push('min_<column>', 'max_<column>')
  const reason =
    dataset.flat && ofRows.includes(name)
      ? `is of flat rows: ${dataset.key} has them with \`${dataset.flat.parameter}\``
      : `${dataset.key} has no such parameter`
  return {
    parameter: name.slice(0, 100),
    reason: name === '' ? 'a value without a name' : reason,
    allowed,
    did_you_mean: likely,
  }
}

/** Names of bounds: of the side that a name begins with, where it does. */
function boundsLike(name: string, { bounded }: Dataset): string[] {
  const sides = ['min_', 'max_'].filter((side) => name.startsWith(side))
  return (sides.length > 0 ? sides : ['min_', 'max_']).flatMap((side) =>
    [...bounded.keys()].map((column) => side + column),
  )
}

/** Values that are each valid, but not together. */
function conflicts(
  dataset: Dataset,
  values: ReadonlyMap<string, unknown>,
  bounds: readonly Bound[],
  faults: Fault[],
): void {
  const from = values.get('from')
  const to = values.get('to')
  if (typeof from === 'string' && typeof to === 'string' && from > to) {
    faults.push({ parameter: 'to', reason: 'lies before `from`', allowed: 'a day not before `from`' })
  }
  const exclude = (parameter: string, other: string): void => {
    if (!values.has(parameter) || !values.has(other)) return
    const reason = `cannot be given together with \`${other}\``
    faults.push({ parameter, reason, allowed: 'one of the two' })
  }
  exclude('quarters', 'from')
  for (const [name, { insteadOf = [] }] of Object.entries(dataset.parameters)) {
    for (const other of insteadOf) exclude(name, other)
  }
  for (const { column, value } of bounds.filter(({ side }) => side === 'min')) {
    const most = bounds.find((bound) => bound.column === column && bound.side === 'max')
    if (most === undefined || most.value >= value) continue
    const reason = `lies below \`min_${column}\``
    faults.push({ parameter: `max_${column}`, reason, allowed: `a number from ${value}` })
  }
}

const fault = (parameter: string, refusal: InvalidValue): Fault => ({
  parameter,
  reason: refusal.message,
  allowed: refusal.allowed,
  did_you_mean: refusal.didYouMean,
})

/** Percent-encoding that keeps commas readable. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',')
