import { finite, flag, metricColumns, money, percent } from '../../catalog/columns.ts'
import { screener } from '../../catalog/parts/banks.ts'

const losses = '(tier1_capital_after_securities_losses - tier1_capital)'
const totalAfter = finite(`(100 * (total_capital + ${losses}) / (risk_weighted_assets + ${losses}))`)

export default screener({
  key: 'securities-loss-screener',
  summary:
    'Banks by what their securities lost, against tier 1 capital and with capital after it, by RSSD ID.',
  notes:
    'Gains are fair value less amortised cost: below 0 is a loss. After losses means that all of them were taken at once, before taxes, from capital and from assets (at a risk weight of 100 percent), and that none is in tier 1 capital already. Bounds are inclusive and a null never matches one.',
  columns: [
    metricColumns([
      'total_assets',
      'securities',
      'securities_htm',
      'securities_afs',
      'unrealized_gains_htm',
      'unrealized_gains_afs',
      'unrealized_gains_htm_ratio',
      'unrealized_gains_afs_ratio',
      'unrealized_gains_ratio',
      'tier1_capital',
      'tier1_capital_after_securities_losses',
      'tier1_leverage_ratio',
      'leverage_ratio_after_securities_losses',
      'total_capital_ratio',
      'securities_htm_share',
      'long_securities_ratio',
      'estimated_uninsured_deposits_ratio',
    ]),
    money('securities_losses', 'Unrealised losses on securities', {
      sql: losses,
      doc: 'Below 0; 0 where there is a gain.',
    }),
    percent('total_capital_ratio_after_losses', 'Total capital ratio after all losses', { sql: totalAfter }),
    flag('undercapitalised_after_losses', 'Undercapitalised after all losses', {
      nullable: true,
      doc: 'The leverage ratio would be below 4 percent, or the total capital ratio below 8.',
      sql: `CAST(leverage_ratio_after_securities_losses < 4 OR ifNull(${totalAfter} < 8, false), 'Nullable(Bool)')`,
    }),
  ],
  examples: [
    {
      title: 'Losses of more than a quarter of tier 1 capital, worst first',
      query: 'max_unrealized_gains_ratio=-25&sort=unrealized_gains_ratio',
    },
    {
      title: 'Thin after losses',
      query:
        'max_leverage_ratio_after_securities_losses=5&fields=rssd_id,legal_name,leverage_ratio_after_securities_losses',
      expect: { columns: ['rssd_id', 'legal_name', 'leverage_ratio_after_securities_losses'] },
    },
  ],
})
