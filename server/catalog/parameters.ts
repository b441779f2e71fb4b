/**
 * Parameter builders. A parameter says once how its text is read, what it means in SQL, and how it is
 * documented. Its value reaches SQL only as a typed parameter `{name:Type}`.
 */
import type { Universe } from '../../sql/derive/universe.ts'
import { states } from '../../sql/states.ts'
import { suggest } from '../../sql/suggest.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { InvalidValue } from './invalid-value.ts'
import {
  integer,
  list,
  MOST_VALUES,
  oneOf,
  type Parameter,
  sortedUnique,
  split,
  type Where,
} from './parameter.ts'

export * from './parameter.ts'
export * from './time-parameters.ts'

/** One value of a list by comma: no control characters, no blank at either end. */
const PLAIN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  /^[^\u0000-\u0020\u007f-\u00a0,]([^\u0000-\u001f\u007f-\u009f,]{0,198}[^\u0000-\u0020\u007f-\u00a0,])?$/
/** One to ten words. */
const WORDS = /^\s*\S+(\s+\S+){0,9}\s*$/

/** The number of an institution in the path. One that no source knows answers 404. */
export function institution(universe: Universe): Parameter<number> {
  const { id, idLabel, noun } = universe
  return {
    ...integer({
      doc: `${idLabel[0]!.toUpperCase()}${idLabel.slice(1)} of the ${noun}.`,
      min: 1,
      where: { column: id, operator: '=', type: 'UInt32' },
    }),
    entity: universe.entity,
    universe,
  }
}

/** The RSSD ID of a bank in the path. */
export const bank = (): Parameter<number> => institution(banks)

/** One of a fixed list, matched without regard to case, spaces or punctuation. */
export function choice<const V extends readonly string[]>(
  allowed: V,
  options: { doc: string; default?: V[number]; where?: string },
): Parameter<V[number]> {
  return {
    doc: options.doc,
    schema: { type: 'string', enum: allowed },
    parse: (text) => oneOf(allowed, text),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.where !== undefined && { where: options.where }),
  }
}

/** `1` or `true`, `0` or `false`. */
export function yesNo(options: { doc: string; default?: boolean; where?: string }): Parameter<boolean> {
  return {
    doc: options.doc,
    schema: { type: 'string', enum: ['1', '0', 'true', 'false'] },
    parse(text) {
      if (text === '1' || text === 'true') return true
      if (text === '0' || text === 'false') return false
      throw new InvalidValue('not a yes or no', ['1', '0', 'true', 'false'])
    },
    canonical: (value) => (value ? '1' : '0'),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.where !== undefined && { where: options.where }),
  }
}

/** Equality with one value or several by comma, on a column that has a known set of values. */
export function oneOfMany(
  column: string,
  allowed: readonly string[],
  options: { doc: string },
): Parameter<string[]> {
  return {
    doc: options.doc,
    schema: list({ type: 'string', enum: allowed }),
    parse: (text) => sortedUnique(split(text).map((value) => oneOf(allowed, value))),
    where: { column, operator: 'IN', type: 'Array(String)' },
  }
}

/** Equality with one value or several by comma; the values must match the pattern, which `form` puts in words. */
export function anyOf(
  column: string,
  options: { doc: string; pattern?: RegExp; form?: string; upper?: boolean; example?: string },
): Parameter<string[]> {
  const pattern = options.pattern ?? PLAIN
  return {
    doc: options.doc,
    schema: list({ type: 'string', pattern: pattern.source }),
    parse: (text) =>
      sortedUnique(
        split(text).map((value) => {
          const spelled = options.upper ? value.toUpperCase() : value
          if (!pattern.test(spelled))
            throw new InvalidValue(`“${value.slice(0, 100)}” is malformed`, options.form ?? pattern.source)
          return spelled
        }),
      ),
    where: { column, operator: 'IN', type: 'Array(String)' },
    ...(options.example !== undefined && { example: options.example }),
  }
}

/** Identifiers by comma: `peer_ids=1,2,3`. Bound as Array(UInt32). */
export function idList(options: {
  doc: string
  most?: number
  where?: string
  /** The ids are institutions of this kind: an unknown one is refused. */
  members?: Universe
  insteadOf?: readonly string[]
}): Parameter<number[]> {
  const one = integer({ doc: options.doc, min: 1 })
  const most = options.most ?? MOST_VALUES
  return {
    doc: options.doc,
    schema: list({ type: 'integer', minimum: 1, maximum: 0xffff_ffff }, most),
    parse: (text) => [...new Set(split(text, most).map((value) => one.parse(value)))],
    ...(options.members !== undefined && { members: options.members.entity, universe: options.members }),
    ...(options.insteadOf !== undefined && { insteadOf: options.insteadOf }),
    ...(options.where !== undefined && { where: options.where }),
  }
}

/** Head-office state: USPS codes. A state without a bank is an empty answer, a state that is none a refusal. */
export const state = (column = 'hq_state'): Parameter<string[]> =>
  oneOfMany(column, states, { doc: 'USPS code of the state, or several by comma.' })

export const charterClass = (column = 'charter'): Parameter<string[]> =>
  oneOfMany(column, ['N', 'NM', 'NC', 'SM', 'SI', 'SB', 'SA', 'SL', 'OI', 'CU', 'NS'], {
    doc: 'FDIC charter class, or several by comma: N national, NM state non-member, SM state member, SB and SA savings, OI insured branch of a foreign bank.',
  })

export const regulatorOf = (column = 'regulator'): Parameter<string[]> =>
  oneOfMany(column, ['OCC', 'FDIC', 'FED', 'OTS', 'NCUA', 'STATE'], {
    doc: 'Primary federal regulator, or several by comma.',
  })

/** Words that must all occur, each in any of the columns, without regard to case. */
export function search(columns: readonly string[]): Parameter<string[]> {
  const haystack = columns.length === 1 ? columns[0] : `concat(${columns.join(", ' ', ")})`
  return {
    doc: `Words that must all occur in ${columns.join(', ')}, without regard to case.`,
    schema: { type: 'string', minLength: 1, maxLength: 200, pattern: WORDS.source },
    parse(text) {
      const words = text.trim().split(/\s+/u).filter(Boolean)
      if (words.length === 0 || text.length > 200)
        throw new InvalidValue('not a search', '1 to 200 characters')
      if (words.length > 10) throw new InvalidValue('too many words', 'at most 10 words')
      return words
    },
    canonical: (words) => words.join(' '),
    bind: (words, name) => Object.fromEntries(words.map((word, i) => [`${name}_${i}`, word])),
    where: (words, name) =>
      words
        .map((_, i) => `positionCaseInsensitiveUTF8(${haystack}, {${name}_${i}:String}) > 0`)
        .join(' AND '),
    example: 'first bank',
  }
}

/**
 * Keys of the metric catalog of a universe. Chooses the metric columns; in long datasets it binds
 * `{metrics:Array(String)}` and, at the same index, `{metric_positions:Array(UInt16)}` for relations of arrays.
 */
export function metricList(options: { where?: Where; universe?: Universe } = {}): Parameter<string[]> {
  const { universe = banks, where } = options
  const keys = universe.metrics.map(({ key }) => key)
  return {
    doc: 'Keys of the metric catalog by comma, in the order wanted.',
    schema: list(universe === banks ? { type: 'string' } : { type: 'string', enum: keys }),
    parse: (text) => [...new Set(split(text).map((key) => metricKey(universe, keys, key)))],
    role: 'metrics',
    universe,
    ...(where !== undefined && { where }),
    example: universe.headline.slice(0, 2).join(','),
  }
}

function metricKey(universe: Universe, keys: readonly string[], text: string): string {
  if (universe.metric(text)) return text
  throw new InvalidValue(
    `there is no metric “${text}”`,
    'keys of /api/v1/reference/metrics/',
    suggest(text, keys),
  )
}

/** A key in the path: unknown is 404. */
export function keyIn(
  keys: readonly string[],
  options: {
    doc: string
    noun: string
    where: string
    example: string
    /** Where the keys are listed, for the 404. */
    listed?: string
  },
): Parameter<string> {
  const known = new Set(keys)
  return {
    doc: options.doc,
    schema: { type: 'string' },
    parse(text) {
      if (known.has(text)) return text
      throw new InvalidValue(`no such ${options.noun}`, options.listed, suggest(text, keys))
    },
    where: options.where,
    noun: options.noun,
    example: options.example,
  }
}

/** A metric's key in the path, of banks also the code of a UBPR concept: unknown is 404. */
export function metricOrConcept(universe: Universe): Parameter<string> {
  const { entity, plural, metrics } = universe
  const metric = keyIn(
    metrics.map(({ key }) => key),
    {
      doc: 'Key of the metric, or code of a concept of the UBPR such as UBPRE013.',
      noun: universe === banks ? 'metric' : `metric of ${plural.replaceAll('_', ' ')}`,
      where: 'key = {metric:String}',
      example: 'roa',
      ...(universe !== banks && { listed: `a key of /api/v1/reference/metrics/?universe=${entity}` }),
    },
  )
  if (universe !== banks) return metric
  return {
    ...metric,
    parse(text) {
      const code = text.toUpperCase()
      return /^(UBP|R)[A-Z]{1,3}[A-Z0-9]{4}$/.test(code) && code.length === 8 ? code : metric.parse(text)
    },
  }
}

/** Text of a pattern, such as an MDRM code; in the path, no row for it is 404. */
export function word(options: {
  doc: string
  pattern: RegExp
  upper?: boolean
  where?: string
  noun?: string
  example?: string
}): Parameter<string> {
  const { doc, pattern, upper, where, noun, example } = options
  return {
    doc,
    schema: { type: 'string', pattern: pattern.source },
    parse(text) {
      const value = upper ? text.toUpperCase() : text
      // of a thing that has a name, a pattern is no help
      if (!pattern.test(value)) throw new InvalidValue('malformed', noun ? undefined : pattern.source)
      return value
    },
    ...(where !== undefined && { where }),
    ...(noun !== undefined && { noun }),
    ...(example !== undefined && { example }),
  }
}
