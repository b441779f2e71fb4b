/** Where an institution stood in its cohort through time, as the trends of every kind of institution tell it. */
import type { Columns } from './api.ts'

type Values = readonly (number | null)[]

/** A metric of one institution through time, beside its cohort of each quarter. */
export interface Standing {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** Ends of the quarters, oldest first; the arrays below are of the same quarters. */
  readonly dates: readonly string[]
  readonly values: Values
  readonly percentiles: Values
  readonly p25: Values
  readonly median: Values
  readonly p75: Values
}

/** The metrics in the order of `keys`; one that the answer lacks is left out. */
export function standingsOf({ columns, rows }: Columns, keys: readonly string[]): Standing[] {
  const places = new Map<string, number[]>()
  for (let row = 0; row < rows; row++) {
    const key = String(columns.metric![row])
    places.set(key, [...(places.get(key) ?? []), row])
  }
  return keys.flatMap((key): Standing[] => {
    const of = places.get(key)
    if (!of) return []
    const column = (name: string): Values => of.map((row) => columns[name]![row] as number | null)
    return [
      {
        key,
        label: String(columns.label![of[0]!]),
        unit: String(columns.unit![of[0]!]),
        dates: of.map((row) => String(columns.report_date![row])),
        values: column('value'),
        percentiles: column('percentile'),
        ...{ p25: column('p25'), median: column('median'), p75: column('p75') },
      },
    ]
  })
}

/** The cohort of the newest quarter as words after “of”; null where there is none. */
export function cohortOf({ columns, rows }: Columns): string | null {
  const label = columns.cohort_label?.[rows - 1]
  return label ? String(label).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()) : null
}
