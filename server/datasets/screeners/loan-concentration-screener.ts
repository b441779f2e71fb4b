import { flag, metricColumns } from '../../catalog/columns.ts'
import { yesNo } from '../../catalog/parameters.ts'
import { screener } from '../../catalog/parts/banks.ts'

const construction = 'construction_concentration >= 100'
const commercial = 'cre_concentration >= 300 AND cre_growth_3y >= 50'
const nullable = (sql: string) => `CAST(${sql}, 'Nullable(Bool)')`

export default screener({
  key: 'loan-concentration-screener',
  summary: 'Banks by how concentrated their loans are against tier 1 capital and allowance, by RSSD ID.',
  notes:
    'The levels are those of the interagency guidance of 2006 on commercial real estate: construction at 100 percent, or commercial real estate that is not owner-occupied at 300 percent after a growth of 50 percent in 36 months. They are neither limits nor safe harbours. A flag is null where a figure that it rests on is. Bounds are inclusive and a null never matches one.',
  parameters: {
    over_guidance: yesNo({
      doc: 'Only banks that meet either level of the guidance, or only others.',
      where: `(ifNull(${construction}, false) OR ifNull(${commercial}, false)) = {over_guidance:Bool}`,
    }),
  },
  columns: [
    metricColumns([
      'total_assets',
      'total_loans',
      'tier1_and_allowance',
      'construction_loans',
      'cre_loans',
      'construction_concentration',
      'cre_concentration',
      'cre_growth_3y',
      'real_estate_concentration',
      'residential_concentration',
      'commercial_industrial_concentration',
      'agricultural_concentration',
      'consumer_concentration',
      'nondepository_financial_concentration',
      'noncurrent_loans_ratio',
      'total_capital_ratio',
    ]),
    flag('construction_over_guidance', 'Construction at 100 percent or more', {
      nullable: true,
      sql: nullable(construction),
    }),
    flag('cre_over_guidance', 'Commercial real estate at 300 percent and grown by half', {
      nullable: true,
      sql: nullable(commercial),
    }),
  ],
  examples: [
    { title: 'Banks that meet the guidance', query: 'over_guidance=1&sort=-cre_concentration' },
    {
      title: 'Much construction in Georgia',
      query:
        'state=GA&min_construction_concentration=50&fields=rssd_id,legal_name,construction_concentration',
      expect: { columns: ['rssd_id', 'legal_name', 'construction_concentration'] },
    },
  ],
})
