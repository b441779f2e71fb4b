import type { ValueType } from './ast.ts'

/** What a function takes: `any` values of one type, a `series` (`#uc:UBPR2170`), a `count` (a whole number, literal). */
export type Parameter = ValueType | 'any' | 'series' | 'count'

export interface FunctionSignature {
  /** As the guide writes it; calls are recognised in any case. */
  name: string
  parameters: readonly Parameter[]
  /** How many of the last parameters may be left out. */
  optional?: number
  /** The last parameter may be repeated. */
  variadic?: boolean
  /** `any`: the common type of the `any` arguments. */
  returns: ValueType | 'any'
  /** Whether the published guide has it; the others are our own. */
  published: boolean
  meaning: string
}

/** Every function of the language: what the parser accepts, the checker checks and docs/formulas.md lists. */
export const functions: readonly FunctionSignature[] = [
  {
    name: 'IF',
    parameters: ['boolean', 'any', 'any'],
    returns: 'any',
    published: true,
    meaning:
      'the second value where the condition is true, else the third (also where the condition is NULL)',
  },
  {
    name: 'ExistingOf',
    parameters: ['any'],
    variadic: true,
    returns: 'any',
    published: true,
    meaning: 'the first value that is not NULL',
  },
  {
    name: 'ExistsNonNil',
    parameters: ['any'],
    returns: 'boolean',
    published: true,
    meaning: 'true where the value is there; never NULL',
  },
  {
    name: 'IsNil',
    parameters: ['any'],
    returns: 'boolean',
    published: true,
    meaning: 'true where the value is NULL; never NULL',
  },
  {
    name: 'IN',
    parameters: ['any', 'any'],
    variadic: true,
    returns: 'boolean',
    published: true,
    meaning: 'whether the first value equals one of the others',
  },
  { name: 'ABS', parameters: ['number'], returns: 'number', published: true, meaning: 'absolute value' },
  {
    name: 'ROUND',
    parameters: ['number', 'count'],
    optional: 1,
    returns: 'number',
    published: true,
    meaning: 'rounded to n decimals, halves away from zero',
  },
  {
    name: 'PCT',
    parameters: ['number', 'number'],
    returns: 'number',
    published: true,
    meaning: 'a / b, a multiple (times), not a percentage; NULL where b is 0',
  },
  {
    name: 'PCTOF',
    parameters: ['number', 'number'],
    returns: 'number',
    published: true,
    meaning: 'a / b × 100; NULL where b is 0',
  },
  {
    name: 'PCTOFANN',
    parameters: ['number', 'number'],
    returns: 'number',
    published: true,
    meaning: 'a / b × 100 × ANN: a year-to-date flow as a percentage, annualised; NULL where b is 0',
  },
  {
    name: 'PCTANN',
    parameters: ['number', 'number'],
    returns: 'number',
    published: true,
    meaning: 'a / b × ANN: a year-to-date flow per unit, annualised; NULL where b is 0',
  },
  {
    name: 'CHANGEYI',
    parameters: ['series', 'count'],
    returns: 'number',
    published: true,
    meaning: 'percent change over n years: (now - then) / then × 100',
  },
  {
    name: 'CHANGEYA',
    parameters: ['series', 'count'],
    returns: 'number',
    published: true,
    meaning: 'percent change over n years of what may be negative: (now - then) / |then| × 100',
  },
  {
    name: 'CHANGEQI',
    parameters: ['series', 'count'],
    returns: 'number',
    published: true,
    meaning: 'percent change over n quarters: (now - then) / then × 100',
  },
  {
    name: 'CHANGEQA',
    parameters: ['series', 'count'],
    returns: 'number',
    published: true,
    meaning: 'percent change over n quarters of what may be negative: (now - then) / |then| × 100',
  },
  {
    name: 'CAVG02X',
    parameters: ['series'],
    returns: 'number',
    published: true,
    meaning: 'mean of this quarter and the one before',
  },
  {
    name: 'CAVG04X',
    parameters: ['series'],
    returns: 'number',
    published: true,
    meaning:
      'mean of the quarters of the year to date (1 to 4 values): for quarterly averages, as of Schedule RC-K',
  },
  {
    name: 'CAVG05X',
    parameters: ['series'],
    returns: 'number',
    published: true,
    meaning: 'mean of the prior year-end and the quarters of the year to date (2 to 5 values): for balances',
  },
  {
    name: 'MonthOf',
    parameters: ['date'],
    returns: 'number',
    published: true,
    meaning: 'month of a date, 1 to 12',
  },
  {
    name: 'SUMOF',
    parameters: ['number'],
    variadic: true,
    returns: 'number',
    published: false,
    meaning: 'sum that takes an absent value as zero; NULL only where all are absent',
  },
  {
    name: 'MIN',
    parameters: ['number'],
    variadic: true,
    returns: 'number',
    published: false,
    meaning: 'the least value; NULL where one is NULL',
  },
  {
    name: 'MAX',
    parameters: ['number'],
    variadic: true,
    returns: 'number',
    published: false,
    meaning: 'the greatest value; NULL where one is NULL',
  },
  {
    name: 'POWER',
    parameters: ['number', 'number'],
    returns: 'number',
    published: false,
    meaning: 'a to the power b; NULL where that is not a finite number',
  },
  {
    name: 'EXP',
    parameters: ['number'],
    returns: 'number',
    published: false,
    meaning: 'e to the power a; NULL where that is not a finite number',
  },
  {
    name: 'LN',
    parameters: ['number'],
    returns: 'number',
    published: false,
    meaning: 'natural logarithm; NULL of 0 and below',
  },
  {
    name: 'QUARTER',
    parameters: ['series'],
    returns: 'number',
    published: false,
    meaning:
      'the quarter of a year-to-date flow: in the first quarter the value, else the value less the quarter before',
  },
  {
    name: 'TTM',
    parameters: ['series'],
    returns: 'number',
    published: false,
    meaning: 'trailing twelve months of a year-to-date flow: value + prior year-end - value a year ago',
  },
]

const byName = new Map(functions.map((f) => [f.name.toUpperCase(), f]))

/** The function of a name in any case, or undefined. */
export function functionNamed(name: string): FunctionSignature | undefined {
  return byName.get(name.toUpperCase())
}
