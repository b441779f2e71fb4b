import { suggest } from '../../sql/suggest.ts'
import { API_ROOT } from '../catalog/catalog.ts'
import type { Dataset } from '../catalog/define.ts'
import { InvalidValue } from '../catalog/invalid-value.ts'
import type { Fault } from '../errors.ts'
import { Problem } from '../errors.ts'
import { decodeCursor } from './cursor.ts'
import { orderOf } from './order.ts'
import { START } from './place.ts'
import type { Bound, Query } from './query.ts'
import { type Given, readerOf } from './readers.ts'

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
  const given: Given = { values, bounds: [] }

  const canonicalPath = readPath(dataset, path, values, faults)
  for (const name of Object.keys(query).sort()) {
    if (faults.length >= MOST_FAULTS) break
    const read = readerOf(dataset, name)
    if (!read) {
      faults.push(unknown(dataset, name, faults.length < MOST_MEANT))
      continue
    }
    try {
      const canonical = read(given, oneText(query[name]), name, dataset)
      if (canonical !== undefined) spelled.push(`${name}=${encode(canonical)}`)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      faults.push(fault(name, error))
    }
  }
  conflicts(dataset, values, given.bounds, faults)
  const canonical = spelled.join('&')
  const limit = given.limit ?? dataset.limit?.default
  const order = orderOf(dataset, given.sort)
  let place = START
  if (given.cursor !== undefined && faults.length === 0) {
    try {
      const asked = `${canonicalPath}?${canonical}`
      place = decodeCursor(given.cursor, { dataset, order, canonical: asked, dataVersion })
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      faults.push(fault('cursor', error))
    }
  }
  if (faults.length > 0) throw refuse(faults)
  for (const [name, parameter] of dataset.declared) {
    if (parameter.default === undefined || values.has(name)) continue
    if (name === 'quarters' && values.has('from')) continue
    values.set(name, parameter.default)
  }
  return {
    dataset,
    values,
    bounds: given.bounds,
    fields: given.fields,
    order,
    limit,
    place,
    cursor: given.cursor ?? '',
    format: given.format,
    path: canonicalPath,
    canonical,
  }
}

function oneText(text: Texts[string]): string {
  if (typeof text !== 'string')
    throw new InvalidValue('given more than once', 'one value, or several by comma')
  if (text.trim() === '') throw new InvalidValue('has no value')
  return text
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
  exclude(values, 'quarters', 'from', faults)
  for (const [name, { insteadOf }] of dataset.declared)
    if (insteadOf) for (const other of insteadOf) exclude(values, name, other, faults)
  for (const { column, side, value } of bounds) {
    if (side !== 'min') continue
    const most = bounds.find((bound) => bound.column === column && bound.side === 'max')
    if (most === undefined || most.value >= value) continue
    const reason = `lies below \`min_${column}\``
    faults.push({ parameter: `max_${column}`, reason, allowed: `a number from ${value}` })
  }
}

function exclude(values: ReadonlyMap<string, unknown>, parameter: string, other: string, faults: Fault[]) {
  if (!values.has(parameter) || !values.has(other)) return
  const reason = `cannot be given together with \`${other}\``
  faults.push({ parameter, reason, allowed: 'one of the two' })
}

const fault = (parameter: string, refusal: InvalidValue): Fault => ({
  parameter,
  reason: refusal.message,
  allowed: refusal.allowed,
  did_you_mean: refusal.didYouMean,
})

/** Percent-encoding that keeps commas readable. */
const encode = (text: string): string =>
  PLAIN.test(text) ? text : encodeURIComponent(text).replaceAll('%2C', ',')

const PLAIN = /^[\w,.-]*$/
