import Negotiator from 'negotiator'
import { Problem } from '../errors.ts'
import type { Format } from './names.ts'
import { formats } from './names.ts'

/** Media ranges that are looked at: browsers send some ten, and each costs a comparison with every type. */
const MOST_RANGES = 50

/**
 * The format of an answer from `Accept` (RFC 9110, 12.5.1): the offered one of the greatest quality, the most specific
 * and then the earlier among equals; JSON where nothing is asked for.
 * @throws Problem `format-not-available`
 */
export function negotiate(accept: string | undefined, offered: readonly Format[]): Format {
  if (accept === undefined || accept.trim() === '') return offered[0]!
  const types = offered.flatMap((format) => formats[format].accepts)
  // a format is one whatever the parameters of its media type; quoted values are none of any use here
  const bare = accept
    .split(',', MOST_RANGES)
    .join(',')
    .replace(/;[ \t]*(?!q[ \t]*=)[^;,]*/gi, '')
  const [type] = new Negotiator({ headers: { accept: bare } }).mediaTypes(types)
  const found = offered.find((format) => formats[format].accepts.some((one) => one === type))
  if (found) return found
  const allowed = offered.map((format) => formats[format].accepts[0]!)
  throw new Problem('format-not-available', `none of the media types in Accept is offered here`, {
    errors: [{ parameter: 'Accept', reason: 'names no format of this dataset', allowed }],
  })
}
