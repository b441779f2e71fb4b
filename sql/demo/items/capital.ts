import { capital, consolidated, schedule } from './item.ts'

/** A bank under the community bank leverage ratio leaves the risk-based items blank. */
const riskBased = (value: string) => `if(cblr, NULL, ${value})`
const leverageAssets = '(a_total_assets - goodwill - other_intangibles)'
/** Ratios are filed as percentages with four decimals. */
const percent = (numerator: string, denominator: string) => `round(100 * ${numerator} / ${denominator}, 4)`

/** Schedule RC-R part I, regulatory capital components and ratios. */
export const capitalItems = schedule('RCRI', [
  capital('P742', 'COMMON STOCK PLUS RELATED SURPLUS, NET OF TREASURY STOCK', 'common_stock + surplus'),
  capital('KW00', 'RETAINED EARNINGS', 'undivided_profits'),
  capital('B530', 'ACCUMULATED OTHER COMPREHENSIVE INCOME', 'aoci'),
  capital('P838', 'AOCI OPT-OUT ELECTION', '1'),
  capital(
    'P840',
    'COMMON EQUITY TIER 1 CAPITAL BEFORE ADJUSTMENTS AND DEDUCTIONS',
    'total_equity - preferred_stock',
  ),
  capital('P841', 'LESS: GOODWILL', 'goodwill'),
  capital('P842', 'LESS: OTHER INTANGIBLE ASSETS', 'other_intangibles'),
  capital('P844', 'LESS: NET UNREALIZED GAINS (LOSSES) ON AVAILABLE-FOR-SALE SECURITIES', 'aoci'),
  capital('P852', 'SUBTOTAL OF COMMON EQUITY TIER 1 CAPITAL', 'cet1'),
  capital('P859', 'COMMON EQUITY TIER 1 CAPITAL', 'cet1'),
  capital('P860', 'ADDITIONAL TIER 1 CAPITAL INSTRUMENTS PLUS RELATED SURPLUS', 'preferred_stock'),
  capital('P865', 'ADDITIONAL TIER 1 CAPITAL', 'preferred_stock'),
  capital('8274', 'TIER 1 CAPITAL', 'tier1'),
  capital('KW03', 'AVERAGE TOTAL CONSOLIDATED ASSETS', 'a_total_assets'),
  capital('P875', 'LESS: DEDUCTIONS FROM TIER 1 CAPITAL', 'goodwill + other_intangibles'),
  capital('A224', 'TOTAL ASSETS FOR THE LEVERAGE RATIO', leverageAssets),
  capital('7204', 'LEVERAGE RATIO', percent('tier1', leverageAssets)),
  capital(
    'LE74',
    'COMMUNITY BANK LEVERAGE RATIO FRAMEWORK ELECTION',
    'if(year < 2020, NULL, toFloat64(cblr))',
  ),
  ...(['031', '041'] as const).map((form) => [
    {
      mdrm: form === '031' ? 'RCFAH015' : 'RCOAH015',
      caption: 'TOTAL LEVERAGE EXPOSURE FOR THE SUPPLEMENTARY LEVERAGE RATIO',
      // Of the largest banks alone.
      value: 'if(total_assets > 250000000, round(1.22 * a_total_assets), NULL)',
      forms: [form],
    },
  ]),
  capital('P866', 'TIER 2 CAPITAL INSTRUMENTS PLUS RELATED SURPLUS', riskBased('subordinated_debt')),
  capital('5310', 'ALLOWANCE INCLUDED IN TIER 2 CAPITAL', riskBased('allowance_in_tier2')),
  capital('P870', 'TIER 2 CAPITAL BEFORE DEDUCTIONS', riskBased('tier2')),
  capital('5311', 'TIER 2 CAPITAL', riskBased('tier2')),
  capital('3792', 'TOTAL CAPITAL', riskBased('tier1 + tier2')),
  capital('A223', 'TOTAL RISK-WEIGHTED ASSETS', riskBased('risk_weighted_assets')),
  capital('P793', 'COMMON EQUITY TIER 1 CAPITAL RATIO', riskBased(percent('cet1', 'risk_weighted_assets'))),
  capital('7206', 'TIER 1 CAPITAL RATIO', riskBased(percent('tier1', 'risk_weighted_assets'))),
  capital('7205', 'TOTAL CAPITAL RATIO', riskBased(percent('(tier1 + tier2)', 'risk_weighted_assets'))),
  capital(
    'H311',
    'CAPITAL CONSERVATION BUFFER',
    riskBased(
      `round(least(greatest(100 * (tier1 + tier2) / risk_weighted_assets - 8, 0), greatest(100 * tier1 / risk_weighted_assets - 6, 0)), 4)`,
    ),
  ),
])

/** Schedule RC-R part II, risk-weighted assets: the totals. */
export const riskWeightedAssets = schedule('RCRII', [
  consolidated(
    'S580',
    'RISK-WEIGHTED ASSETS BASE FOR THE ALLOWANCE LIMIT',
    riskBased('risk_weighted_assets'),
  ),
  consolidated('B704', 'RISK-WEIGHTED ASSETS BEFORE DEDUCTIONS', riskBased('risk_weighted_assets')),
  consolidated('A222', 'LESS: EXCESS ALLOWANCE', riskBased('allowance - allowance_in_tier2')),
  consolidated('G641', 'TOTAL RISK-WEIGHTED ASSETS', riskBased('risk_weighted_assets')),
])
