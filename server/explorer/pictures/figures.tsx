/** Rows of figures below their heads; the first cell of a row names it. */
import type { ComponentChildren } from 'preact'

export interface FigureRow {
  readonly key: string
  readonly cells: readonly ComponentChildren[]
}

/** What stands above a column; in a table of institutions, each leads to its page. */
export type Head =
  | string
  | { readonly key: string; readonly text: string; readonly full: string; readonly href: string }

const keyOf = (head: Head): string => (typeof head === 'string' ? head : head.key)

export function Figures({ heads, rows }: { heads: readonly Head[]; rows: readonly FigureRow[] }) {
  return (
    <table class="figures">
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col" key={keyOf(head)}>
              {typeof head === 'string' ? (
                head
              ) : (
                <a href={head.href} title={head.full} aria-label={head.full}>
                  {head.text}
                </a>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th scope="row" key={keyOf(heads[at]!)}>
                  {cell}
                </th>
              ) : (
                <td key={keyOf(heads[at]!)}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
