import { type Column, code, percent, reportDate, rssdId, smallCount, text } from '../columns.ts'
import { type Dataset, type Declaration, dataset } from '../define.ts'
import { asOf, bank, metricList } from '../parameters.ts'
import { overGroup, peerParameters, percentileSql, similarBanks, type standing } from './peers.ts'

interface PeerDataset
  extends Pick<Declaration, 'key' | 'summary' | 'notes' | 'examples'>,
    Partial<Pick<Declaration, 'counted'>> {
  /** What is worked out over the group of each metric, the standing at least: see `overGroup`. */
  readonly aggregates: typeof standing
  /** Further columns in SQL over that, beside `percentile`. */
  readonly select?: readonly string[]
  /** What is told of a metric, after its name and before the size of the group. */
  readonly columns: readonly Column[]
}

/** `percentile`, which every measure against peers has. */
export const peerPercentile: Column = percent('percentile', 'Percentile rank', {
  doc: 'From 0 to 100, among the banks that have a value.',
})

/** One bank in a group of peers: one row a metric, in the order asked for. */
export function peerDataset({ aggregates, select = [], columns, ...rest }: PeerDataset): Dataset {
  return dataset({
    ...rest,
    from: (scope) => overGroup(scope, aggregates, [`${percentileSql} AS percentile`, ...select]),
    grain: ['position'],
    order: ['position'],
    steps: [similarBanks],
    parameters: {
      rssd_id: { ...bank(), where: undefined },
      metrics: metricList(),
      ...peerParameters,
      as_of: asOf({ where: null }),
    },
    columns: [
      rssdId,
      reportDate,
      code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
      text('label', 'Label'),
      code('unit', 'Unit'),
      code('direction', 'Direction', { doc: 'Which way is better: higher, lower or neutral.' }),
      ...columns,
      smallCount('cohort_size', 'Cohort size', {
        sql: 'banks',
        doc: 'Banks of the group, with a value or without.',
      }),
    ],
    sources: ['ffiec-call-report'],
  })
}
