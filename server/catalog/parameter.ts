/** What a parameter is, and what builders of parameters have in common. */
import type { Universe } from '../../sql/derive/universe.ts'
import { suggest } from '../../sql/suggest.ts'
import { InvalidValue } from './invalid-value.ts'
import type { Scope } from './scope.ts'

/** A kind of institution: `entity` of its universe. */
export type EntityKind = string

/**
 * What the planner does with a value beyond binding it. `as_of`: the filed quarter to look from. `day`: a day or moment to
 * look from in a relation that is not of filed quarters; it is told in `meta.as_of`.
 */
export type Role = 'as_of' | 'day' | 'from' | 'to' | 'quarters' | 'metrics'

export interface JsonSchema {
  readonly type?: string
  readonly [keyword: string]: unknown
}

export type Operator = '=' | 'IN' | '>=' | '<='

/** A condition that is one comparison: of a column with the value of the parameter, bound as a ClickHouse type. */
export interface Comparison {
  readonly column: string
  readonly operator: Operator
  readonly type: string
}

export type Where = Comparison | string

export interface Parameter<T = unknown> {
  readonly doc: string
  readonly schema: JsonSchema
  /** Reads the text of the URL. Throws InvalidValue. */
  readonly parse: (text: string) => T
  /** The text that means the same in every spelling; `String(value)` where it is left out. */
  readonly canonical?: (value: T) => string
  /** SQL parameters by name; `{ [name]: value }` where it is left out. */
  readonly bind?: (value: T, name: string) => Record<string, unknown>
  /** Condition that the value puts on the relation: a comparison where it is one, else SQL. */
  readonly where?: Where | ((value: T, name: string, scope: Scope) => Where | undefined)
  /** Taken when the request says nothing. */
  readonly default?: T
  /** Parameters whose place this one takes: to give both is refused. */
  readonly insteadOf?: readonly string[]
  readonly role?: Role
  /** A path parameter that names an institution: one that no source knows is 404. */
  readonly entity?: EntityKind
  /** Other kinds that it may name too. */
  readonly orOf?: readonly EntityKind[]
  /** A list of institutions of this kind; one that never filed is refused. */
  readonly members?: EntityKind
  /** The universe of those institutions, or of the metrics that the parameter names. */
  readonly universe?: Universe
  /** Name of the thing that a path parameter names, for the 404: "metric", "dataset". */
  readonly noun?: string
  /** A value for docs and tests. Entities have none: which institutions are held is not known here. */
  readonly example?: string
  /** `report_date` unless said: the column that `as_of`, `from` and `to` look at. */
  readonly column?: string
  /** The window is one of quarters (filed ones) or of days. */
  readonly grain?: 'quarter' | 'day'
}

// biome-ignore lint/suspicious/noExplicitAny: parameters of every type live in one record
export type AnyParameter = Parameter<any>
export type Parameters = Readonly<Record<string, AnyParameter>>

/** Values of a list by comma. */
export const MOST_VALUES = 500

/** A whole number in a range. */
export function integer(options: {
  doc: string
  min?: number
  max?: number
  default?: number
  where?: Comparison | string
  example?: string
}): Parameter<number> {
  const { doc, min = 0, max = 0xffff_ffff, where, example } = options
  return {
    doc,
    schema: { type: 'integer', minimum: min, maximum: max },
    parse(text) {
      const value = Number(text)
      if (!/^-?\d{1,15}$/.test(text) || value < min || value > max) {
        throw new InvalidValue('not a whole number in range', `a whole number from ${min} to ${max}`)
      }
      return value
    },
    ...(options.default !== undefined && { default: options.default }),
    ...(where !== undefined && { where }),
    ...(example !== undefined && { example }),
  }
}

export function oneOf<V extends string>(allowed: readonly V[], text: string): V {
  const known = squashed.get(allowed) ?? new Map(allowed.toReversed().map((value) => [squash(value), value]))
  squashed.set(allowed, known)
  const found = known.get(squash(text)) as V | undefined
  if (found !== undefined) return found
  throw new InvalidValue(`“${text}” is not one of the values`, allowed, suggest(text, allowed))
}

/** The values of a list by what they are matched by; of equal ones the first. */
const squashed = new WeakMap<readonly string[], ReadonlyMap<string, string>>()

const squash = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '')

export function split(text: string, most = MOST_VALUES): string[] {
  const values = text.split(',').map((value) => value.trim())
  if (values.some((value) => value === '')) throw new InvalidValue('an empty value', 'values by comma')
  if (values.length > most) throw new InvalidValue('too many values', `at most ${most}`)
  return values
}

export const sortedUnique = (values: readonly string[]): string[] => [...new Set(values)].sort()

export const list = (items: JsonSchema, most = MOST_VALUES): JsonSchema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems: most,
})
