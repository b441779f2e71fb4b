import { alertTypeKeys, alertTypes } from '../../../sql/alerts/types.ts'
import { quoted } from '../../../sql/quoted.ts'
import { universes } from '../../../sql/universes/index.ts'
import { code, column, figure, id, instant, longDate, percent, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { oneOfMany } from '../../catalog/parameters.ts'
import { readSince, since, thresholds } from '../../catalog/parts/alerts.ts'
import { readWatched, watchedOf } from '../../catalog/parts/watches.ts'

const watched = universes.map(
  ({ entity }) => `(entity = ${quoted(entity)} AND entity_id IN {${watchedOf(entity)}:Array(UInt32)})`,
)
const numberAs = (name: string) => {
  const kinds = universes.filter((one) => one.id === name).map(({ entity }) => quoted(entity))
  return `if(entity IN (${kinds.join(', ')}), toNullable(entity_id), NULL)`
}
const moment = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`
const size = `transform(toString(subject), {threshold_metrics:Array(String)}, {threshold_sizes:Array(Float64)}, assumeNotNull(threshold))`

export default dataset({
  key: 'watchlist-alerts',
  summary: 'What changed for the institutions that the key watches, what became known last first.',
  notes:
    'Found once for all institutions when a data version is published: over the newest four quarters of what they filed, and the newest year of what agencies tell. An alert is the same by its number in every data version; `known_at` is when the first version that had it was published here, so to load the same again alerts nobody twice. `since` with the data version of the last answer gives what is new since then and nothing twice. As RSS (`format=rss`) a feed reader follows it that can send the key in a header; a feed without `since` is of the newest alerts.',
  scope: 'client',
  from: `SELECT * EXCEPT (alert, known_at), lower(hex(a.alert)) AS alert, ifNull(a.known_at, ${moment('published_moment')}) AS known_at FROM alerts AS a WHERE ${watched.join(' OR ')}`,
  where: ({ has }) =>
    `known_at > ${moment('since_moment')} AND (type != 'metric_move' OR abs(change) >= ${has('thresholds') ? size : 'threshold'})`,
  time: { kind: 'day', column: 'date' },
  grain: ['alert'],
  order: ['-known_at', '-date'],
  parameters: {
    since,
    type: oneOfMany('type', alertTypeKeys, {
      doc: `Alerts of this type, or of any of several by comma. ${Object.entries(alertTypes)
        .map(([key, doc]) => `\`${key}\`: ${doc}`)
        .join(' ')}`,
    }),
    thresholds,
  },
  limit: { default: 100, most: 10_000 },
  steps: [readWatched, readSince],
  feed: {
    ...{ id: 'alert', about: 'legal_name', title: 'sentence', link: 'link', moment: 'known_at' },
    category: 'type',
  },
  columns: [
    text('alert', 'Alert', {
      doc: 'Identifier; it stays the same from data version to data version.',
    }),
    instant('known_at', 'Known since', {
      doc: 'When it became known here, with the publication of a data version.',
    }),
    code('type', 'Type'),
    code('entity', 'Kind', { doc: 'bank, credit_union or holding_company.' }),
    id('rssd_id', 'RSSD ID', { nullable: true, sql: numberAs('rssd_id') }),
    id('cu_number', 'Charter number of NCUA', { nullable: true, sql: numberAs('cu_number') }),
    text('legal_name', 'Legal name', { doc: 'Empty where no source tells it.' }),
    text('sentence', 'What happened'),
    longDate('date', 'Date', {
      doc: 'Of the event, or the last day of the quarter. NCUA’s orders have the first day of their year.',
    }),
    text('subject', 'Subject', {
      doc: 'A metric, a metric and its level, or the event or action as its source identifies it.',
    }),
    figure('value', 'Value', { doc: 'In the unit of the row.' }),
    figure('before', 'Value before', { doc: 'Of the report before; of complaints the average quarter.' }),
    figure('change', 'Change', { doc: 'Of amounts of money in percent, else in the unit of the row.' }),
    figure('threshold', 'Threshold', {
      doc: 'From which a move is told of where `thresholds` says nothing else; the level that was crossed.',
    }),
    percent('percentile', 'Percentile in the size cohort'),
    code('unit', 'Unit', { nullable: true, doc: 'Of the figures.' }),
    text('link', 'Link', { doc: 'The dataset with more of it.' }),
    column('UInt32', 'entity_id', 'Number of the institution', { doc: 'RSSD ID, or NCUA’s charter number.' }),
  ],
  sources: ['ffiec-call-report', 'ncua-5300', 'fr-y-9c'],
  examples: [
    { title: 'The newest alerts' },
    { title: 'Larger moves of two ratios', query: 'type=metric_move&thresholds=roa:1,cet1_ratio:2' },
  ],
})
