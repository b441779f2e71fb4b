import type { Arithmetic, Comparison, Expr, Namespace, Period } from './ast.ts'
import { thisPeriod } from './ast.ts'
import { FormulaError, placeOf } from './errors.ts'
import { functionNamed, functions } from './functions.ts'
import { type Token, tokenize } from './lexer.ts'

/** An ISO date in quotes is a date, any other quoted text is text. */
const isoDate = /^\d{4}-\d{2}-\d{2}$/
const comparisons = new Set(['=', '<>', '<', '<=', '>', '>='])
/** MDRM mnemonics of the Call Report: decide a reference whose prefix and code disagree (`uc:RCON5402`). */
const callReportCode = /^(RC[A-Z]{2}|RIAD|RIAS|RSSD|TEXT)[A-Z0-9]{4}$/

/**
 * Parses one formula. Grammar, loosest first: OR, AND, NOT, comparison (not chained) and infix IN, + -, * /, unary
 * minus, then literals, references, calls and parentheses. Throws FormulaError with the place and what was expected.
 */
export function parse(source: string, key?: string): Expr {
  return new Parser(source, key).formula()
}

// The longest formula of the guide has 746 words and symbols, the deepest eleven parentheses.
const MOST_TOKENS = 2_000
const MOST_DEPTH = 100

class Parser {
  private readonly tokens: Token[]
  private readonly source: string
  private readonly key: string | undefined
  private position = 0

  constructor(source: string, key: string | undefined) {
    this.source = source
    this.key = key
    this.tokens = tokenize(source, key)
    this.checkSize()
  }

  private checkSize(): void {
    if (this.tokens.length > MOST_TOKENS)
      this.fail(this.tokens[MOST_TOKENS]!, `more than ${MOST_TOKENS} words and symbols`)
    let depth = 0
    for (const token of this.tokens) {
      if (token.kind !== 'symbol') continue
      if (token.text === '(' && ++depth > MOST_DEPTH)
        this.fail(token, `parentheses lie more than ${MOST_DEPTH} deep`)
      if (token.text === ')') depth--
    }
  }

  formula(): Expr {
    if (this.peek().kind === 'end') this.fail(this.peek(), 'an empty formula: expected an expression')
    const expr = this.or()
    if (this.peek().kind !== 'end') this.unexpected('an operator or the end of the formula')
    return expr
  }

  private or(): Expr {
    let left = this.and()
    for (let t = this.take('word', 'OR'); t; t = this.take('word', 'OR')) {
      left = { kind: 'or', left, right: this.and(), offset: t.offset }
    }
    return left
  }

  private and(): Expr {
    let left = this.not()
    for (let t = this.take('word', 'AND'); t; t = this.take('word', 'AND')) {
      left = { kind: 'and', left, right: this.not(), offset: t.offset }
    }
    return left
  }

  private not(): Expr {
    const token = this.take('word', 'NOT')
    return token ? { kind: 'not', operand: this.not(), offset: token.offset } : this.comparison()
  }

  private comparison(): Expr {
    const left = this.sum()
    const token = this.peek()
    if (token.kind === 'symbol' && comparisons.has(token.text)) {
      this.position++
      const right = this.sum()
      return { kind: 'comparison', operator: token.text as Comparison, left, right, offset: token.offset }
    }
    if (this.take('word', 'IN')) {
      return { kind: 'call', name: 'IN', args: [left, ...this.list()], offset: token.offset }
    }
    return left
  }

  private sum(): Expr {
    let left = this.product()
    for (let t = this.takeOne('+', '-'); t; t = this.takeOne('+', '-')) {
      left = {
        kind: 'arithmetic',
        operator: t.text as Arithmetic,
        left,
        right: this.product(),
        offset: t.offset,
      }
    }
    return left
  }

  private product(): Expr {
    let left = this.unary()
    for (let t = this.takeOne('*', '/'); t; t = this.takeOne('*', '/')) {
      left = {
        kind: 'arithmetic',
        operator: t.text as Arithmetic,
        left,
        right: this.unary(),
        offset: t.offset,
      }
    }
    return left
  }

  private unary(): Expr {
    const token = this.takeOne('-', '+')
    if (!token) return this.primary()
    const operand = this.unary()
    return token.text === '+' ? operand : { kind: 'negate', operand, offset: token.offset }
  }

  private primary(): Expr {
    const token = this.peek()
    const offset = token.offset
    if (token.kind === 'number') {
      this.position++
      return { kind: 'literal', value: Number(token.text), type: 'number', offset }
    }
    if (token.kind === 'text') {
      this.position++
      const type = isoDate.test(token.text) ? 'date' : 'text'
      if (type === 'date' && !isDate(token.text))
        this.fail(token, `'${token.text}' is no date of the calendar`)
      return { kind: 'literal', value: token.text, type, offset }
    }
    if (token.kind === 'reference') return this.reference()
    if (this.take('symbol', '(')) {
      const inner = this.or()
      this.expect(')')
      return inner
    }
    if (this.take('symbol', '#')) {
      if (this.peek().kind !== 'reference') this.unexpected("a reference after '#', as in #uc:UBPR2170")
      const reference = this.reference()
      if (reference.kind !== 'reference') throw new Error('unreachable')
      return { kind: 'series', space: reference.space, code: reference.code, offset }
    }
    if (token.kind === 'word') return this.word(token)
    return this.unexpected('a value, a reference, a function or (')
  }

  private word(token: Token): Expr {
    const offset = token.offset
    this.position++
    const next = this.peek()
    if (next.kind === 'symbol' && next.text === '(') {
      const signature = functionNamed(token.text)
      if (!signature) {
        this.fail(
          token,
          `unknown function ${token.text}: expected one of ${functions.map((f) => f.name).join(', ')}`,
        )
      }
      return { kind: 'call', name: signature.name, args: this.list(), offset }
    }
    if (token.text === 'NULL' || token.text === 'NIL')
      return { kind: 'literal', value: null, type: 'null', offset }
    if (token.text === 'TRUE' || token.text === 'FALSE') {
      return { kind: 'literal', value: token.text === 'TRUE', type: 'boolean', offset }
    }
    if (token.text === 'ANN') return { kind: 'context', name: 'annualisation', offset }
    if (token.text === 'CONTEXT') return this.context(offset)
    this.position--
    return this.unexpected('a value, a reference (cc:, uc: or m:), or a function')
  }

  /** `Context.Period.EndDate`, the guide's name of the report date; `Context.Form`, ours of the form filed. */
  private context(offset: number): Expr {
    const path: string[] = []
    while (this.take('symbol', '.')) {
      const word = this.peek()
      if (word.kind !== 'word') this.unexpected('Context.Period.EndDate or Context.Form')
      path.push(word.text)
      this.position++
    }
    const name = path.join('.')
    if (name === 'PERIOD.ENDDATE') return { kind: 'context', name: 'end-date', offset }
    if (name === 'FORM') return { kind: 'context', name: 'form', offset }
    return this.unexpected('Context.Period.EndDate or Context.Form')
  }

  private reference(): Expr {
    const token = this.peek()
    this.position++
    const [prefix, written] = token.text.split(':') as [Namespace, string]
    let space = prefix
    const code = space === 'm' ? written.toLowerCase() : written.toUpperCase()
    if (space === 'cc' && code.startsWith('UBPR')) space = 'uc'
    else if (space === 'uc' && callReportCode.test(code)) space = 'cc'
    const next = this.peek()
    if (next.kind !== 'period')
      return { kind: 'reference', space, code, period: thisPeriod, offset: token.offset }
    this.position++
    return { kind: 'reference', space, code, period: this.period(next), offset: token.offset }
  }

  private period(token: Token): Period {
    if (token.text === 'P0') return thisPeriod
    const found = /^-P(\d{1,2})([QYZ])$/.exec(token.text)
    if (!found || found[1] === '0') {
      this.fail(token, `unknown period [${token.text}]: expected [P0], [-P1Q], [-P1Y] or [-P1Z]`)
    }
    const count = Number(found[1])
    if (found[2] === 'Z') return { unit: 'year-end', count }
    return { unit: 'quarter', count: found[2] === 'Y' ? count * 4 : count }
  }

  private list(): Expr[] {
    this.expect('(')
    if (this.take('symbol', ')')) return []
    const args = [this.or()]
    while (this.take('symbol', ',')) args.push(this.or())
    this.expect(')')
    return args
  }

  private peek(): Token {
    return this.tokens[this.position]!
  }

  private take(kind: Token['kind'], text: string): Token | undefined {
    const token = this.peek()
    if (token.kind !== kind || token.text !== text) return undefined
    this.position++
    return token
  }

  private takeOne(...symbols: string[]): Token | undefined {
    for (const symbol of symbols) {
      const token = this.take('symbol', symbol)
      if (token) return token
    }
    return undefined
  }

  private expect(symbol: string): void {
    if (!this.take('symbol', symbol)) this.unexpected(`'${symbol}'`)
  }

  private unexpected(expected: string): never {
    const token = this.peek()
    const found = token.kind === 'end' ? 'the end of the formula' : JSON.stringify(token.text)
    return this.fail(token, `found ${found}, expected ${expected}`)
  }

  private fail(token: Token, reason: string): never {
    throw new FormulaError('syntax', reason, this.key, placeOf(this.source, token.offset))
  }
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
