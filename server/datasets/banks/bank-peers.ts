import { code, figure, identity, money, reportDate, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank, choice, integer } from '../../catalog/parameters.ts'
import { nearestBySimilarity, nearestBySize, similarBanks } from '../../catalog/parts/peers.ts'

const part = (name: string, label: string) =>
  figure(name, label, {
    unit: 'standard deviations',
    doc: 'Root mean square difference of the features of this group; null unless the cohort is `similar`.',
  })

export default dataset({
  key: 'bank-peers',
  summary: 'The peer set of one bank, nearest first, with the distance and why each bank was chosen.',
  notes:
    'With `size` and `size_state` the distance is the difference of the natural logarithms of total assets, within the asset-size tier. With `similar` it is taken over all banks, in standard deviations of size, loan mix, funding mix and geography (0 in the state, 1 in the Census division, 2 elsewhere, at half weight).',
  from: (scope) => (scope.is('cohort', 'similar') ? nearestBySimilarity : nearestBySize(scope)),
  grain: ['position'],
  order: ['position'],
  steps: [similarBanks],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    n: integer({ doc: 'How many peers.', min: 1, max: 50, default: 10 }),
    cohort: choice(['size', 'size_state', 'similar'], {
      doc: 'Nearest by total assets in the asset tier, the same within the state, or nearest in business.',
      default: 'size',
    }),
    as_of: asOf({ where: null }),
  },
  columns: [
    smallCount('position', 'Position', { unit: undefined, doc: '1 is the nearest.' }),
    ...identity,
    reportDate,
    code('cohort', 'Asset-size cohort'),
    money('total_assets', 'Total assets'),
    figure('distance', 'Distance', { doc: 'As the notes define it for each cohort; 0 is equal.' }),
    part('size_distance', 'Distance in size'),
    part('loan_mix_distance', 'Distance in loan mix'),
    part('funding_mix_distance', 'Distance in funding mix'),
    code('place', 'Place', { doc: 'same state, same division (of the Census) or elsewhere.' }),
    text('why', 'Why it was chosen'),
  ],
  sources: ['ffiec-call-report', 'fdic-institutions'],
  examples: [
    { title: 'Ten nearest by size', expect: { least: 1 } },
    { title: 'Five most similar', query: 'cohort=similar&n=5', expect: { rows: 5 } },
    { title: 'In the state', query: 'cohort=size_state&n=3' },
  ],
})
