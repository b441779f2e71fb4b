import type { ClickHouseClient } from '@clickhouse/client'
import { metrics } from '../../formula/metrics/index.ts'
import type { Guide } from './guide.ts'
import { lineageOf } from './lineage.ts'
import { peerGroups } from './peer-groups.ts'

/** Writes what follows from the guide alone: concepts with their lineage, the report's lines, the peer groups. */
export async function writeReference(client: ClickHouseClient, guide: Guide): Promise<void> {
  const lineage = lineageOf(guide)
  const traced = guide.concepts.map(({ code }) => lineage(code, 'uc'))
  const computed = guide.concepts.map((concept, index) => ({
    ...concept,
    position: index + 1,
    reason: '',
    items: traced[index]!.items,
  }))
  const refused = guide.refused.map(({ code, label, edition, formula, reason }) => ({
    ...{ position: 0, code, label, edition, formula, reason },
    ...{ narrative: '', unit: '', origin: '', items: [] },
  }))
  const lines = guide.lines.map((line, index) => ({ position: index + 1, ...line }))
  const figures = [
    ...guide.concepts.map(({ code }, index) => ({ figure: code, steps: traced[index]!.steps })),
    ...metrics.map(({ key }) => ({ figure: key, steps: lineage(key, 'm').steps })),
  ]
  const groups = peerGroups.map(({ key, label }, index) => ({ peer_group: key, label, position: index + 1 }))
  for (const [table, values] of [
    ['ubpr_concepts', [...computed, ...refused]],
    ['figure_lineage', figures],
    ['ubpr_pages', lines],
    ['ubpr_peer_groups', groups],
  ] as const) {
    if (values.length > 0) await client.insert<object>({ table, values: [...values], format: 'JSONEachRow' })
  }
}
