import type { Runner } from '../../../derive/runner.ts'
import type { Universe } from '../../../derive/universe.ts'
import { lineageOf } from '../../../formula/index.ts'
import type { Guide } from './guide.ts'
import { peerGroups } from './peer-groups.ts'

/** Writes what follows from the guide alone: concepts with their lineage, the report's lines, the peer groups. */
export async function writeReference(runner: Runner, banks: Universe, guide: Guide): Promise<void> {
  const lineage = lineageOf(
    [
      ...banks.formulas.set.formulas,
      ...guide.concepts.map(({ code, formula }) => ({ key: `uc:${code}`, source: formula })),
      ...guide.formulas,
    ],
    banks.computed?.items,
  )
  const traced = guide.concepts.map(({ code }) => lineage(`uc:${code}`))
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
  const figures = guide.concepts.map(({ code }, index) => ({ figure: code, steps: traced[index]!.steps }))
  const groups = peerGroups.map(({ key, label }, index) => ({ peer_group: key, label, position: index + 1 }))
  await runner.insert('ubpr_concepts', [...computed, ...refused])
  await runner.insert('ubpr_lineage', figures)
  await runner.insert('ubpr_pages', lines)
  await runner.insert('ubpr_peer_groups', groups)
}
