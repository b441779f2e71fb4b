import { type Format, tabular } from './names.ts'

interface Offering {
  readonly parts?: unknown
  readonly point?: unknown
  readonly feed?: unknown
  readonly allColumns: ReadonlyMap<string, { readonly fields?: unknown }>
}

const offered = new WeakMap<Offering, readonly Format[]>()

/** The formats that a dataset is offered in: one with parts is JSON alone, nested columns need JSON, GeoJSON a place, RSS what its items say. */
export function formatsOf(dataset: Offering): readonly Format[] {
  const known = offered.get(dataset) ?? found(dataset)
  offered.set(dataset, known)
  return known
}

function found(dataset: Offering): readonly Format[] {
  if (dataset.parts) return ['json']
  const nested = [...dataset.allColumns.values()].some((column) => column.fields !== undefined)
  if (nested) return ['json', 'ndjson']
  return [
    ...tabular,
    ...(dataset.point ? (['geojson'] as const) : []),
    ...(dataset.feed ? (['rss'] as const) : []),
  ]
}
