import type { Formula } from './ast.ts'

/** Where a cell of the guide runs into the next line item: "… NULL))4.2 UBPRE135CHANGEQI(…)". */
const nextItem = /\s*\b\d{1,3}\.\d{1,2}\s+(UBPR[A-Z0-9]{4})(?=\s*[A-Z(#]|\s*$)/gi

/**
 * The formulas of one FORMULA cell of the UBPR User's Guide. In the page tables, a line item's cell goes on with the
 * item's other concepts, each introduced by its number and code; text before the first of them belongs to `key`.
 * Keys come back as `uc:UBPR….`; cells without a formula give none.
 */
export function guideFormulas(key: string, cell: string): Formula[] {
  const formulas: Formula[] = []
  let current = key
  let from = 0
  const add = (to: number) => {
    const source = cell.slice(from, to).trim()
    if (source && !/^\d+\.\d+$/.test(source)) formulas.push({ key: `uc:${current.toUpperCase()}`, source })
  }
  for (const match of cell.matchAll(nextItem)) {
    add(match.index)
    current = match[1]!
    from = match.index + match[0].length
  }
  add(cell.length)
  return formulas
}
