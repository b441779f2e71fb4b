import type { Metric } from '../../../formula/metrics/metric.ts'
import { activities, parentCompany } from './activities.ts'
import { assetQuality } from './asset-quality.ts'
import { balanceSheet } from './balance-sheet.ts'
import { capital } from './capital.ts'
import { funding, growths } from './funding.ts'
import { efficiencies, income, profitability } from './income.ts'
import { loans } from './loans.ts'

/** Every metric of holding companies, as the BHC Performance Report defines it where it has it. */
export const metrics: readonly Metric[] = [
  ...balanceSheet,
  ...income,
  ...profitability,
  ...efficiencies,
  ...capital,
  ...assetQuality,
  ...loans,
  ...funding,
  ...activities,
  ...growths,
  ...parentCompany,
]
