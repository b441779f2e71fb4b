import { Problem } from '../errors.ts'
import type { Format } from './names.ts'
import { formats } from './names.ts'

/**
 * The format of an answer from `Accept`: the offered one of the greatest quality, the earlier in `Accept` among
 * equals; JSON where nothing is asked for. Throws `format-not-available`.
 */
export function negotiate(accept: string | undefined, offered: readonly Format[]): Format {
  if (accept === undefined || accept.trim() === '') return offered[0]!
  const ranges = accept
    .split(',', 64)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
    })
    .filter((range) => range.quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { type } of ranges) {
    const found = offered.find((format) => matches(type, formats[format].accepts))
    if (found) return found
  }
  const allowed = offered.map((format) => formats[format].accepts[0]!)
  throw new Problem('format-not-available', `none of the media types in Accept is offered here`, {
    errors: [{ parameter: 'Accept', reason: 'names no format of this dataset', allowed }],
  })
}

function matches(range: string, types: readonly string[]): boolean {
  if (range === '*/*' || range === '*') return true
  if (range.endsWith('/*')) return types.some((type) => type.startsWith(range.slice(0, -1)))
  return types.includes(range)
}
