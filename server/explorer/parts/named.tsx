/** What needs the names of metrics: the catalog gives them, read once a tab. */
import type { ComponentChildren } from 'preact'
import { type Catalog, type Universe, useMetrics } from '../lib/metrics.ts'
import { Trouble } from './asked.tsx'

export function Named({
  universe,
  children,
}: {
  universe: Universe
  children: (metrics: Catalog) => ComponentChildren
}) {
  const metrics = useMetrics(universe)
  if (metrics instanceof Error) return <Trouble problem={metrics} what="the metrics" />
  if (metrics === null) return <p class="mild waiting">Reading the metrics …</p>
  return <>{children(metrics)}</>
}
