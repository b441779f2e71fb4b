/** Rows of figures below their heads; the first cell of a row names it. */
import type { ComponentChildren } from 'preact'

export interface FigureRow {
  readonly key: string
  readonly cells: readonly ComponentChildren[]
}

export function Figures({ heads, rows }: { heads: readonly string[]; rows: readonly FigureRow[] }) {
  return (
    <table class="figures">
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th scope="row" key={heads[at]}>
                  {cell}
                </th>
              ) : (
                <td key={heads[at]}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
