/** The datasets that every universe has: one institution, its series, all of them, tiers, and a screen. */
import { everyone } from '../../../sql/derive/cohorts.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import {
  type Column,
  code,
  cohort,
  date,
  figure,
  flag,
  type MetricColumns,
  metricColumns,
  over,
  reportDate,
  smallCount,
  text,
} from '../columns.ts'
import { type Dataset, type Declaration, dataset } from '../define.ts'
import {
  asOf,
  choice,
  institution,
  metricList,
  oneOfMany,
  type Parameters,
  search,
  window,
  yesNo,
} from '../parameters.ts'
import { standingColumns, standingOf } from './standing-through-time.ts'

interface Kind {
  readonly universe: Universe
  /** Who an institution is in a quarter: its number first. */
  readonly identity: readonly Column[]
  /** What lists of them are filtered by beside their figures. */
  readonly filters: Parameters
  readonly sources: readonly string[]
}

type Words = Pick<Declaration, 'key' | 'summary' | 'notes' | 'examples'> & {
  readonly sources?: readonly string[]
}
type Columns = readonly (Column | MetricColumns)[]

/** Declares them for one kind of institution. */
export function datasetsOf({ universe, identity, filters, sources }: Kind) {
  const { id, tables, noun } = universe
  const grain = [id]
  const number = { [id]: institution(universe) }
  const common = { universe, sources }
  return {
    /** Every one that ever filed: the columns are those of the identity and `more`, then its newest headline figures. */
    directory: ({
      more = [],
      parameters = {},
      ...words
    }: Words & { more?: Columns; parameters?: Parameters }): Dataset =>
      dataset({
        ...common,
        ...words,
        from: tables.directory,
        grain,
        parameters: {
          ...filters,
          ...parameters,
          active: yesNo({
            doc: `Only ${noun}s that filed for the latest quarter, or only others.`,
            where: 'active = {active:Bool}',
          }),
          q: search(['legal_name', 'city']),
        },
        columns: [
          ...identity,
          ...more,
          cohort,
          flag('active', 'Active', { doc: 'Filed for the latest quarter.' }),
          date('first_quarter', 'First quarter', { doc: 'The earliest report held.' }),
          over(reportDate, { doc: 'The latest report held: identity and figures are of this quarter.' }),
          metricColumns('headline'),
        ],
      }),

    /** One in a quarter: identity, `more`, and every metric. */
    snapshot: ({ more = [], ...words }: Words & Pick<Declaration, 'from'> & { more?: Columns }): Dataset =>
      dataset({
        ...common,
        from: tables.quarters,
        ...words,
        grain: [id, 'report_date'],
        parameters: { ...number, as_of: asOf() },
        columns: [...identity, reportDate, ...more, cohort, metricColumns('all')],
      }),

    /** Quarterly series of one; with `against`, where it stood in its cohort, one row a quarter and metric. */
    trends: (words: Words): Dataset => {
      const of = {
        ...number,
        ...window(),
        against: choice(['cohort'], {
          doc: `One row a quarter and metric instead: the value beside the percentile and the quartiles of its cohort.`,
        }),
      }
      return dataset({
        ...common,
        ...words,
        from: tables.rows,
        grain: [id, 'report_date'],
        order: ['report_date'],
        parameters: { ...of, metrics: metricList({ universe }) },
        columns: [identity[0]!, reportDate, metricColumns('headline')],
        flat: {
          parameter: 'against',
          of: {
            cohort: dataset({
              ...common,
              ...words,
              summary: `Where one ${noun} stood in its cohort, by quarter and metric.`,
              from: standingOf(universe),
              grain: [id, 'report_date', 'position'],
              order: ['report_date', 'position'],
              parameters: {
                ...of,
                metrics: metricList({
                  universe,
                  where: { column: 'metric', operator: 'IN', type: 'Array(String)' },
                }),
              },
              columns: [identity[0]!, reportDate, ...standingColumns],
              examples: [{ title: 'Against its cohort' }],
            }),
          },
        },
      })
    },

    /** Mean and 5-number summary of each metric in each tier by size. */
    benchmarks: (words: Words): Dataset => {
      const { from, to } = window()
      const inUnit = { doc: 'In the unit of the row.' }
      const tiers = [everyone, ...universe.cohorts.tiers.map(({ key }) => key)]
      return dataset({
        ...common,
        ...words,
        from: tables.summaries,
        grain: ['report_date', 'tier_position', 'position'],
        order: ['report_date', 'tier_position', 'position'],
        parameters: {
          metrics: metricList({
            universe,
            where: { column: 'metric', operator: 'IN', type: 'Array(String)' },
          }),
          tier: oneOfMany('tier', tiers, {
            doc: `Asset-size tier, or several by comma; \`${everyone}\` is every ${noun}.`,
          }),
          as_of: asOf({
            where: (_value, _name, scope) => ({
              column: 'report_date',
              operator: scope.has('from') || scope.has('to') ? '<=' : '=',
              type: 'Date',
            }),
          }),
          from,
          to,
        },
        columns: [
          reportDate,
          code('tier', 'Asset tier', {
            doc: `Key of the asset-size cohort; \`${everyone}\` is every ${noun}.`,
          }),
          code('tier_label', 'Label of the tier'),
          code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
          text('label', 'Label'),
          code('unit', 'Unit'),
          smallCount('count', `${noun[0]!.toUpperCase()}${noun.slice(1)}s with a value`),
          figure('mean', 'Mean', inUnit),
          figure('min', 'Minimum', inUnit),
          figure('p25', 'First quartile', inUnit),
          figure('median', 'Median', inUnit),
          figure('p75', 'Third quartile', inUnit),
          figure('max', 'Maximum', inUnit),
        ],
      })
    },

    /** A screen over those of a quarter: filters, and bounds on every numeric column and every metric. */
    screener: ({
      parameters = {},
      columns = [metricColumns('headline')],
      sources: more = [],
      choosesQuarter = false,
      ...rest
    }: Screener): Dataset =>
      dataset({
        ...common,
        from: tables.quarters,
        ...rest,
        grain,
        parameters: { as_of: asOf(choosesQuarter ? { where: null } : {}), ...filters, ...parameters },
        bounds: true,
        columns: [...identity, reportDate, ...columns],
        sources: [...sources, ...more],
      }),
  }
}

interface Screener extends Words, Pick<Declaration, 'from'> {
  readonly parameters?: Parameters
  /** After the identity and the quarter; default: the headline metrics. */
  readonly columns?: Columns
  /** Beside those of the kind. */
  readonly sources?: readonly string[]
  /** Where the relation chooses the quarter by itself. */
  readonly choosesQuarter?: boolean
}
