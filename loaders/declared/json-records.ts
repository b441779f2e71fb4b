import { bareHeading } from '../../sql/sources/columns.ts'
import type { JsonForm } from '../../sql/sources/declare.ts'
import { LoadError } from '../lib/errors.ts'
import { parseJson, scalarOf } from '../lib/json-values.ts'
import { limits, within } from '../lib/limits.ts'
import { recordOf, type WholeDocument, type WholeReading } from './whole.ts'

export interface JsonDocument extends WholeDocument {
  form: JsonForm
  /** The keys that are wanted, bare. */
  wanted: readonly string[]
}

/**
 * The objects of a document as records: of each key that is wanted and found, in one order, what scalar it has. For a
 * thread, as text of a few bytes can be an object of a thousand.
 * @throws LoadError naming the place and what was expected there
 */
export function jsonRecords({ bytes, form, wanted, place }: JsonDocument): WholeReading {
  const objects = objectsIn(form, Buffer.from(bytes), place)
  const known = new Set(wanted)
  const header = new Set<string>()
  for (const object of objects) for (const key in object) if (known.has(bareHeading(key))) header.add(key)
  within(place, objects.length * header.size, 'values', limits.text.values)
  const keys = [...header]
  return {
    header: keys,
    records: objects.map((object) => recordOf(keys.map((key) => textOf(object, key)))),
  }
}

function objectsIn({ path, record }: JsonForm, bytes: Buffer, place: string): object[] {
  const found = parseJson(bytes.toString('utf8').replace(/^\uFEFF/, ''), place)
  // an answer that somebody reduced to its records is as good
  const list = Array.isArray(found) ? found : inside(found, path)
  if (!Array.isArray(list))
    throw new LoadError(
      `${place}: is neither an array of objects nor has an array "${path.join('.')}", as an answer of an API has`,
    )
  return list.map((entry: unknown, index) => {
    const object = inside(entry, record) ?? entry
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw new LoadError(`${place}: entry ${index + 1} is no object`)
    return object
  })
}

const inside = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? at[step as never] : undefined,
    value,
  )

/** Several texts are one with a line for each. What lies deeper than the record's own values is not read. */
function textOf(object: object, key: string): string {
  const value: unknown = Object.hasOwn(object, key) ? object[key as never] : undefined
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one) => one.replaceAll('\n', ' ')).join('\n')
  return scalarOf(value)
}
