import type { Formula } from './ast.ts'

/** Whether a formula is a concept of the guide: some things are read as its authors and its publisher do. */
export const isOfGuide = (key: string): boolean => key.startsWith('uc:')

/**
 * Decimals of the factor that annualises in the guide's formulas: 4, 2, 1.3333 and 1. The FFIEC's ratios of third quarters
 * are of such a factor; those of 4/3 differ from them in the fifth digit (docs/formulas.md).
 */
export const guideFactorDecimals = 4

/** Where a cell of the guide runs into the next line item: "… NULL))4.2 UBPRE135CHANGEQI(…)". */
const nextItem = /\b(\d{1,3}\.\d{1,2})\s+(UBPR[A-Z0-9]{4})(?=\s*[A-Z(#]|\s*$)/gi

/** A concept of a FORMULA cell: its code, its text ('' where there is none), and its number where the cell gives one. */
export interface GuideItem {
  code: string
  source: string
  number?: string
}

/**
 * The concepts of one FORMULA cell of the UBPR User's Guide. In the page tables, a line item's cell goes on with the
 * item's other concepts, each introduced by its number and code; text before the first of them belongs to `code`.
 */
export function guideItems(code: string, cell: string): GuideItem[] {
  const items: GuideItem[] = []
  let current: Omit<GuideItem, 'source'> = { code: code.toUpperCase() }
  let from = 0
  const add = (to: number) => {
    const source = cell.slice(from, to).trim()
    items.push({ ...current, source: /^\d+\.\d+$/.test(source) ? '' : source })
  }
  for (const match of cell.matchAll(nextItem)) {
    add(match.index)
    current = { code: match[2]!.toUpperCase(), number: match[1]! }
    from = match.index + match[0].length
  }
  add(cell.length)
  return items
}

/** The formulas of one cell; keys come back as `uc:UBPR….`, and concepts without a formula give none. */
export function guideFormulas(key: string, cell: string): Formula[] {
  return guideItems(key, cell).flatMap(({ code, source }) => (source ? [{ key: `uc:${code}`, source }] : []))
}

/** Between two terms with nothing between them: "uc:UBPR1771[P0] cc:RCON1754[P0]", "cc:RCFD1410[P0] (cc:RCON1415". */
const lostOperator = /([\])])(\s+)(?=(?:cc|uc)\s*:|\()/gi

/**
 * A formula that lost a minus sign at the end of a line, where the transcription took it for the hyphen of a divided
 * word, with the sign put back; the same text where there is no such place. Of the formulas of 2017 that lost an operator,
 * every one that a later edition gives whole has a minus there (see `test/formula/guide.test.ts`).
 */
export const mended = (source: string): string => source.replace(lostOperator, '$1 - ')
