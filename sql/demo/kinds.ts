/** Institutions of the demo universe that are not banks. */
import { demoCreditUnions } from './credit-unions/index.ts'
import { holdingCompanies } from './holding-companies.ts'
import type { DemoKind } from './kind.ts'

/** They file once the banks are published: the first answer need not wait for them. */
export const otherKinds: readonly DemoKind[] = [demoCreditUnions, holdingCompanies]
