import { assetQuality } from './asset-quality.ts'
import { balanceSheet } from './balance-sheet.ts'
import { capital } from './capital.ts'
import { concentration } from './concentration.ts'
import { deposits } from './deposits.ts'
import { efficiency } from './efficiency.ts'
import { failureRisk } from './failure-risk.ts'
import { growth } from './growth.ts'
import { incomeStatement } from './income.ts'
import { liquidity } from './liquidity.ts'
import { loanMix } from './loans.ts'
import type { Metric } from './metric.ts'
import { profitability } from './profitability.ts'
import { scorecard } from './scorecard.ts'
import { securities } from './securities.ts'

export { concepts } from './concepts.ts'
export {
  type Aggregation,
  type Concept,
  fdicVariable,
  type Metric,
  type MetricCategory,
  type MetricDirection,
  type MetricUnit,
  metricCategories,
} from './metric.ts'
export { isKnownItem } from './terms.ts'

/** The metric catalog. The index of a metric plus one is its position in `bank_rows.metrics`. */
export const metrics: readonly Metric[] = [
  ...balanceSheet,
  ...incomeStatement,
  ...profitability,
  ...efficiency,
  ...capital,
  ...assetQuality,
  ...loanMix,
  ...concentration,
  ...deposits,
  ...liquidity,
  ...securities,
  ...growth,
  ...scorecard,
  ...failureRisk,
]
