/** A place in a formula's text: offsets into the source, line and column from 1. */
export interface Place {
  offset: number
  line: number
  column: number
}

export function placeOf(source: string, offset: number): Place {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  return { offset, line, column: offset - before.lastIndexOf('\n') }
}

/** Why a formula was refused: which formula, where in it, what was expected there. */
export class FormulaError extends Error {
  readonly code: 'syntax' | 'type' | 'unknown' | 'cycle'
  readonly key: string | undefined
  readonly place: Place | undefined
  readonly reason: string

  constructor(code: FormulaError['code'], reason: string, key?: string, place?: Place) {
    const where = place ? ` (line ${place.line}, column ${place.column})` : ''
    super(`${key ? `formula ${key}${where}: ` : where ? `${where.trim()}: ` : ''}${reason}`)
    this.name = 'FormulaError'
    this.code = code
    this.key = key
    this.place = place
    this.reason = reason
  }
}
