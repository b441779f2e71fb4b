export type ValueType = 'number' | 'text' | 'date' | 'boolean'
export type Value = number | string | boolean | null

/** `cc` Call Report item, `uc` UBPR concept, `m` metric of the catalog. */
export type Namespace = 'cc' | 'uc' | 'm'

/** How far back a reference looks, before shifting: quarters, or the n-th year-end (31 December) before. */
export type Period = { unit: 'quarter'; count: number } | { unit: 'year-end'; count: number }

export const thisPeriod: Period = { unit: 'quarter', count: 0 }

export type Arithmetic = '+' | '-' | '*' | '/'
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A typed date literal keeps its ISO text: dates compare as text. */
export type Expr = { offset: number } & (
  | { kind: 'literal'; value: Value; type: ValueType | 'null' }
  | { kind: 'reference'; space: Namespace; code: string; period: Period }
  | { kind: 'series'; space: Namespace; code: string }
  | { kind: 'context'; name: 'end-date' | 'form' | 'annualisation' }
  | { kind: 'negate' | 'not'; operand: Expr }
  | { kind: 'arithmetic'; operator: Arithmetic; left: Expr; right: Expr }
  | { kind: 'comparison'; operator: Comparison; left: Expr; right: Expr }
  | { kind: 'and' | 'or'; left: Expr; right: Expr }
  | { kind: 'call'; name: string; args: Expr[] }
)

export type ExprOf<K extends Expr['kind']> = Extract<Expr, { kind: K }>

export interface Formula {
  /** The reference without a period: `m:roa`, `uc:UBPRE013`. */
  key: string
  source: string
}
