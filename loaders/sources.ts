import fdicInstitutions from './fdic-institutions/index.ts'
import fdicNationalRates from './fdic-national-rates/index.ts'
import callReport from './ffiec-call-report/index.ts'
import fred from './fred/index.ts'
import type { Source } from './lib/source.ts'
import mdrm from './mdrm/index.ts'
import pmms from './pmms/index.ts'
import treasury from './treasury/index.ts'
import ubprFormulas from './ubpr-formulas/index.ts'

/** All sources, in the order in which a reader should meet them. */
export const sources = [
  callReport,
  fdicInstitutions,
  mdrm,
  ubprFormulas,
  treasury,
  fred,
  pmms,
  fdicNationalRates,
] as unknown as readonly Source[]

/** The declaration of a source by its key. */
export function findSource(key: string): Source | undefined {
  return sources.find((source) => source.key === key)
}
