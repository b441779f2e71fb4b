import { FormulaError, placeOf } from './errors.ts'

export type TokenKind = 'number' | 'text' | 'word' | 'reference' | 'period' | 'symbol' | 'end'

export interface Token {
  kind: TokenKind
  /** Words and symbols in canonical form: words upper case, '<>' for '!=', straight quotes dropped. */
  text: string
  offset: number
}

const space = /[\s\u00a0\u2000-\u200b\u202f\ufeff]+/y
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const text =
  /['\u2018\u2019\u201a\u201b\u2032]([^'\u2018\u2019\u201a\u201b\u2032]*)['\u2018\u2019\u201a\u201b\u2032]/y
const reference = /(cc|uc|m)\s*:\s*([A-Za-z_][A-Za-z0-9_]*)/iy
const period = /\[([^\]]*)\]/y
const word = /[A-Za-z_][A-Za-z0-9_]*/y
const symbol = /<\s*>|<\s*=|>\s*=|!=|[()+\-*/,<>=#.\u2012\u2013\u2014\u2212\u2264\u2265\u2260]/y

/** Dashes and relations that word processors put in the place of the ASCII ones. */
const canonicalSymbol: Record<string, string> = {
  '!=': '<>',
  '\u2260': '<>',
  '\u2264': '<=',
  '\u2265': '>=',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
}

/** Operators that the published guide sometimes glues to the next word where a line was broken: `ANDuc:UBPR2170`. */
const gluedOperator =
  /(AND|OR|NOT)(?=(?:(?:cc|uc|m)\s*:)|(?:ExistingOf|ExistsNonNil|IsNil|IN|MonthOf|IF|ABS|NOT)\b)/iy

/** What a token can be at a place, tried in this order: its pattern, and its canonical text. */
const rules: readonly [TokenKind, RegExp, (found: RegExpExecArray) => string][] = [
  ['reference', reference, (found) => `${found[1]!.toLowerCase()}:${found[2]}`],
  ['number', number, (found) => found[0]],
  ['text', text, (found) => found[1]!.trim()],
  ['period', period, (found) => found[1]!.replace(/\s+/g, '').toUpperCase()],
  ['word', gluedOperator, (found) => found[0].toUpperCase()],
  ['word', word, (found) => found[0].toUpperCase()],
  ['symbol', symbol, (found) => canonical(found[0].replace(/\s+/g, ''))],
]
const canonical = (bare: string) => canonicalSymbol[bare] ?? bare

/** Splits a formula into tokens; the last one is `end`. Throws FormulaError at the first character that is none. */
export function tokenize(source: string, key?: string): Token[] {
  const tokens: Token[] = []
  let at = skipBlank(source, 0)
  while (at < source.length) {
    const token = tokenAt(source, at)
    if (!token) {
      const unclosed = /['\u2018\u2019[]/.test(source[at]!) ? ' that is never closed' : ''
      const reason = `unexpected ${JSON.stringify(source[at])}${unclosed}`
      throw new FormulaError('syntax', reason, key, placeOf(source, at))
    }
    tokens.push(token.token)
    at = skipBlank(source, token.end)
  }
  tokens.push({ kind: 'end', text: '', offset: source.length })
  return tokens
}

function tokenAt(source: string, offset: number): { token: Token; end: number } | undefined {
  for (const [kind, pattern, textOf] of rules) {
    pattern.lastIndex = offset
    const found = pattern.exec(source)
    if (found) return { token: { kind, text: textOf(found), offset }, end: offset + found[0].length }
  }
  return undefined
}

function skipBlank(source: string, at: number): number {
  space.lastIndex = at
  return at + (space.exec(source)?.[0].length ?? 0)
}
