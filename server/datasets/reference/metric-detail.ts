import type { Universe } from '../../../sql/derive/universe.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import { universes } from '../../../sql/universes/index.ts'
import { column, figure, objects, over, reportDate, smallCount, text } from '../../catalog/columns.ts'
import { type Dataset, dataset } from '../../catalog/define.ts'
import { InvalidValue } from '../../catalog/invalid-value.ts'
import { asOf, choice, idList, metricOrConcept, type Parameter } from '../../catalog/parameters.ts'
import { lineageOf } from '../../catalog/parts/lineage.ts'
import { metricDefinition } from '../../catalog/parts/metric-definition.ts'

const inUnit = {
  doc: 'Over all institutions of the universe in the latest quarter, in the unit of the metric.',
}

/** The columns of institutions' numbers. */
const numbers = [...new Set(universes.map(({ id }) => id))]

/** A parameter for each of them, to ask for the values of the lineage. That of another universe is refused by name. */
const numbersFor = (universe: Universe): Record<string, Parameter<number[]>> =>
  Object.fromEntries(
    numbers.map((id) => {
      const of = universes.filter((one) => one.id === id)
      const { entity, idLabel } = of[0]!
      const nouns = of.map(({ noun }) => noun).join(' or a ')
      const doc = `${idLabel[0]!.toUpperCase()}${idLabel.slice(1)} of a ${nouns}, for the values of the lineage.`
      if (universe.id === id) return [id, idList({ doc, most: 1, members: universe })]
      const refused: Parameter<number[]> = {
        ...idList({ doc, most: 1 }),
        parse() {
          throw new InvalidValue(
            `is the ${idLabel} of a ${nouns}, and the universe is ${universe.entity}`,
            `\`${universe.id}\` of a ${universe.noun}, or \`universe=${entity}\``,
          )
        },
      }
      return [id, refused]
    }),
  )

/** The dataset over one universe. */
const ofUniverse = (universe: Universe, of?: Readonly<Record<string, Dataset>>): Dataset =>
  dataset({
    key: 'metric-detail',
    summary:
      'One metric, or one concept of the UBPR: its definition, the items that it is made of, its distribution in the latest quarter, and its lineage with the values of one institution.',
    notes:
      'Metrics are those of banks unless `universe` says whose: the same key may mean another in each. Give `rssd_id` of a bank or holding company, or `cu_number` of a credit union, to follow a figure down to what it filed: `value` is its own, `lineage` has every metric, concept and item that it rests on, each with its value in its quarter. Steps of a branch that does not apply to the quarter are listed too.',
    universe,
    ...(of && { ofUniverses: { parameter: 'universe', of } }),
    from: lineageOf(universe),
    grain: ['key'],
    parameters: {
      metric: metricOrConcept(universe),
      universe: choice(
        universes.map(({ entity }) => entity),
        { doc: 'Whose metric: a kind of institution.', default: banks.entity },
      ),
      ...numbersFor(universe),
      as_of: asOf({ where: null }),
    },
    columns: [
      ...metricDefinition,
      over(reportDate, { nullable: true, doc: 'The quarter of the distribution.' }),
      smallCount('count', 'Institutions with a value'),
      figure('mean', 'Mean', inUnit),
      figure('min', 'Minimum', inUnit),
      figure('p25', 'First quartile', inUnit),
      figure('median', 'Median', inUnit),
      figure('p75', 'Third quartile', inUnit),
      figure('max', 'Maximum', inUnit),
      figure('value', 'Value', {
        doc: 'Of the institution that is asked for, in the quarter `as_of`, in the unit of the metric.',
      }),
      objects(
        'lineage',
        'Lineage',
        [
          column('UInt8', 'depth', 'Depth', { doc: '1 for what the formula itself names.' }),
          text('kind', 'Kind', { doc: 'metric, ubpr or item.' }),
          text('code', 'Code', {
            doc: 'Key of a metric, MDRM code, or account of the 5300 Call Report.',
          }),
          text('label', 'Label', { nullable: true }),
          column('UInt8', 'quarters_back', 'Quarters back'),
          column('Date', 'report_date', 'Report date'),
          text('used_by', 'Used by', { doc: 'The step above whose formula names it.' }),
          figure('value', 'Value', { doc: 'Of the institution at that date, as filed or derived.' }),
        ],
        { doc: 'What the figure rests on, nearest first.' },
      ),
    ],
    sources: [
      ...universe.sources.filter((key) => key !== 'demo'),
      ...(universe === banks ? ['ubpr-formulas'] : []),
    ],
    examples: [
      { title: 'Return on assets', expect: { rows: 1 } },
      { title: 'The Texas ratio', path: { metric: 'texas_ratio' }, expect: { rows: 1 } },
      {
        title: 'Net income to average assets of the UBPR',
        path: { metric: 'UBPRE013' },
        expect: { rows: 1 },
      },
      {
        title: 'Net worth ratio of credit unions',
        path: { metric: 'net_worth_ratio' },
        query: 'universe=credit_union',
        expect: { rows: 1 },
      },
      {
        title: 'Double leverage of holding companies',
        path: { metric: 'double_leverage' },
        query: 'universe=holding_company',
        expect: { rows: 1 },
      },
    ],
  })

export default ofUniverse(
  banks,
  Object.fromEntries(
    universes.filter((one) => one !== banks).map((universe) => [universe.entity, ofUniverse(universe)]),
  ),
)
