import { type Column, text } from '../columns.ts'
import { type Dataset, type Declaration, dataset } from '../define.ts'
import { oneOfMany } from '../parameters.ts'
import {
  learntAt,
  type ObservedOptions,
  observationDate,
  observationParameters,
  observationSource,
  observed,
  type PublicSeries,
} from './observations.ts'

interface ObservationDataset
  extends Pick<Declaration, 'key' | 'summary' | 'notes' | 'sources' | 'examples'>,
    Pick<ObservedOptions, 'period' | 'latest'> {
  readonly series: readonly PublicSeries[]
  /** The column of the series' keys. It is a parameter as well. */
  readonly by: Column
  /** What that parameter says of itself. */
  readonly choose: string
  /** The fact of the series that rows of a day are ordered by, in place of a label: months to maturity. */
  readonly fact?: Column
  /** What is told of a series, and texts of it. */
  readonly measures: readonly Column[]
}

/** Series of observations in long form: one row a date and series, oldest first. */
export function observationDataset(declaration: ObservationDataset): Dataset {
  const { series, by, choose, fact, measures, period, latest, ...rest } = declaration
  const grain = ['date', (fact ?? by).name]
  return dataset({
    ...rest,
    from: observed(series, { key: by.name, sources: rest.sources, period, latest }),
    grain,
    order: grain,
    parameters: {
      [by.name]: oneOfMany(
        by.name,
        series.map(({ key }) => key),
        { doc: choose },
      ),
      ...observationParameters,
    },
    columns: [observationDate, by, fact ?? text('label', 'Label'), ...measures, observationSource, learntAt],
  })
}
