/** Which alerts a request wants: since when, and from which moves on. */
import type { ClickHouseClient } from '@clickhouse/client'
import { moves } from '../../../sql/alerts/thresholds.ts'
import { suggest } from '../../../sql/suggest.ts'
import { Problem } from '../../errors.ts'
import type { Step } from '../define.ts'
import { InvalidValue } from '../invalid-value.ts'
import { list, type Parameter, split } from '../parameter.ts'

const VERSION = /^(\d{4}Q[1-4]|empty)-[0-9a-f]{8}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** A moment as ISO 8601 or a data version, which `readSince` resolves to the moment of its publication. */
export const since: Parameter<string> = {
  doc: 'What became known after a data version, as `meta.data_version` of the last answer has it, which is exact; or after a moment such as 2026-08-14 or 2026-08-14T09:30:00Z (UTC where it says nothing else).',
  schema: {
    type: 'string',
    anyOf: [{ pattern: VERSION.source }, { format: 'date' }, { format: 'date-time' }],
  },
  parse(text) {
    if (VERSION.test(text)) return text
    const moment = MOMENT.test(text) ? Date.parse(withZone(text)) : Number.NaN
    if (Number.isNaN(moment))
      throw new InvalidValue(
        'neither a moment nor a data version',
        'a day like 2026-08-14, a moment like 2026-08-14T09:30:00Z, or meta.data_version of an answer',
      )
    return new Date(moment).toISOString()
  },
  example: '2026-08-14',
}

/** A day alone is of UTC already. */
const withZone = (text: string): string => (/^.{10}$|Z$|[+-]\d{2}:\d{2}$/.test(text) ? text : `${text}Z`)

/** Binds `since_moment`, 0 where none is asked for, and `published_moment` of the version that is read: milliseconds. */
export const readSince: Step = {
  binds: { since_moment: 'Int64', published_moment: 'Int64' },
  async client({ control, publication }, { since: given }) {
    const text = given as string | undefined
    const moment = text && VERSION.test(text) ? await publishedAt(control, text) : Date.parse(text ?? EPOCH)
    if (moment === undefined) {
      const reason = `no data version ${text} was published here: give a moment`
      throw new Problem('invalid-parameter', `since: ${reason}`, { errors: [{ parameter: 'since', reason }] })
    }
    return { since_moment: moment, published_moment: Date.parse(publication.publishedAt) }
  },
}
const EPOCH = '1970-01-01'

async function publishedAt(control: ClickHouseClient, version: string): Promise<number | undefined> {
  const found = await control.query({
    query: `SELECT toUnixTimestamp64Milli(published_at) AS at FROM publications WHERE data_version = {version:String}
            ORDER BY published_at DESC LIMIT 1`,
    query_params: { version },
    format: 'JSONEachRow',
  })
  const [row] = await found.json<{ at: string }>()
  return row && Number(row.at)
}

const keys = Object.keys(moves)

/** From which move on each metric is told of. Bound as `threshold_metrics` and `threshold_sizes`, at the same index. */
export const thresholds: Parameter<readonly (readonly [string, number])[]> = {
  doc: `Moves from this size on, by metric: percent of amounts, percentage points of ratios. Usual, and at least: ${Object.entries(
    moves,
  )
    .map(([key, { usual, least }]) => `${key} ${usual} (${least})`)
    .join(', ')}.`,
  schema: list({ type: 'string', pattern: `^(${keys.join('|')}):[0-9]{1,6}(\\.[0-9]{1,6})?$` }, keys.length),
  parse(text) {
    const sizes = new Map<string, number>()
    for (const one of split(text, keys.length)) {
      const [key = '', size = '', ...rest] = one.split(':')
      const move = Object.hasOwn(moves, key) ? moves[key] : undefined
      if (!move)
        throw new InvalidValue(`there is no threshold of “${key.slice(0, 100)}”`, keys, suggest(key, keys))
      if (rest.length > 0 || !/^\d{1,6}(\.\d{1,6})?$/.test(size))
        throw new InvalidValue(
          `“${one.slice(0, 100)}” is not a threshold`,
          `a number after the colon, as ${key}:${move.usual}`,
        )
      if (sizes.has(key)) throw new InvalidValue(`${key} is given more than once`)
      if (Number(size) < move.least)
        throw new InvalidValue(
          `${size} is less than the least of ${key}`,
          `${move.least} or more: smaller moves are not kept`,
        )
      sizes.set(key, Number(size))
    }
    return [...sizes].sort(([a], [b]) => (a < b ? -1 : 1))
  },
  canonical: (value) => value.map(([key, size]) => `${key}:${size}`).join(','),
  bind: (value) => ({
    threshold_metrics: value.map(([key]) => key),
    threshold_sizes: value.map(([, size]) => size),
  }),
  example: 'roa:0.3,cet1_ratio:0.5',
}
