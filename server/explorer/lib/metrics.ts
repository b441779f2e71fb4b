/** The catalog of metrics: what each is called, and its unit. Read once a tab for a kind of institution. */
import { useEffect, useState } from 'preact/hooks'
import { askColumns } from './api.ts'

export interface MetricEntry {
  readonly key: string
  readonly label: string
  readonly unit: string
  readonly category: string
  readonly description: string | null
  readonly text: string
}

export type Universe = 'bank' | 'credit_union' | 'holding_company'
export type Catalog = ReadonlyMap<string, MetricEntry>

const read = new Map<Universe, Promise<Catalog>>()

export function metricCatalog(universe: Universe): Promise<Catalog> {
  const known = read.get(universe)
  if (known) return known
  const asked = askColumns('metrics', {
    universe,
    fields: ['key', 'label', 'unit', 'category', 'description'],
  }).then(({ data: { columns, rows } }) => {
    const of = (column: string, i: number): string => String(columns[column]![i] ?? '')
    return new Map(
      Array.from({ length: rows }, (_, i) => {
        const [key, label] = [of('key', i), of('label', i)]
        const description = columns.description![i] as string | null
        const text = `${label} ${key.replaceAll('_', ' ')}`.toLowerCase()
        return [key, { key, label, unit: of('unit', i), category: of('category', i), description, text }]
      }),
    )
  })
  read.set(universe, asked)
  asked.catch(() => read.delete(universe))
  return asked
}

/** Metrics in the order of `keys`; one that the catalog lacks goes by its key. */
export const named = (
  catalog: Catalog,
  keys: readonly string[],
): Pick<MetricEntry, 'key' | 'label' | 'unit'>[] =>
  keys.map((key) => catalog.get(key) ?? { key, label: key, unit: '' })

export function useMetrics(universe: Universe): Catalog | Error | null {
  const [catalog, setCatalog] = useState<Catalog | Error | null>(null)
  useEffect(() => {
    metricCatalog(universe).then(
      (one) => setCatalog(one),
      (error: Error) => setCatalog(error),
    )
  }, [universe])
  return catalog
}

/** Metrics that have every word, or the most of them where none has all (“construction lending”); the shortest name first. */
export function metricsLike(catalog: Catalog, written: string, most = 10): MetricEntry[] {
  const words = written.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...catalog.values()].map((metric) => ({
    metric,
    hits: words.filter((word) => metric.text.includes(word)).length,
  }))
  const best = Math.max(1, ...found.map(({ hits }) => hits))
  return found
    .filter(({ hits }) => hits === best)
    .map(({ metric }) => metric)
    .sort((a, b) => a.label.length - b.label.length)
    .slice(0, most)
}
