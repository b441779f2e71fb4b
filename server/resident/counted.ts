/** A table of rows that were worked out at the request, as those read of the engine are: all formats follow from it. */
import type { Column } from '../catalog/columns.ts'
import { type ColumnSpec, kindOf, ResidentTable, SLACK } from './table.ts'

/**
 * @param values of each column by name, in JSON as the engine writes it; all of one length
 * @param declared columns by name; what is none of them, such as a key to sort by, is a number
 */
export function countedTable(
  values: Readonly<Record<string, readonly string[]>>,
  declared: ReadonlyMap<string, Column>,
): ResidentTable {
  const columns = Object.entries(values)
  const rows = columns[0]![1].length
  const specs: ColumnSpec[] = columns.map(([name]) => {
    const column = declared.get(name)
    return { name, kind: column ? kindOf(column.type) : 'number' }
  })
  const starts = new Uint32Array(rows * columns.length + 1)
  const longest = new Uint32Array(columns.length)
  const all: string[] = []
  for (let row = 0; row < rows; row++) for (const [, column] of columns) all.push(column[row]!)
  all.push('')
  const text = all.join(',')
  const bytes = Buffer.byteLength(text)
  // most are all of letters of one byte
  const plain = bytes === text.length
  for (let at = 0, end = 0; at < rows * columns.length; at++) {
    const length = plain ? all[at]!.length : Buffer.byteLength(all[at]!)
    end += length + 1
    starts[at + 1] = end
    const column = at % columns.length
    if (length > longest[column]!) longest[column] = length
  }
  const held = Buffer.allocUnsafeSlow(bytes + SLACK)
  held.write(text)
  return new ResidentTable({ specs, rows, byRow: { text: held, starts }, byColumn: undefined, longest })
}
