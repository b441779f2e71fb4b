import { banks } from '../../../sql/universes/bank/index.ts'
import { identity } from '../columns.ts'
import { charterClass, regulatorOf, state } from '../parameters.ts'
import { datasetsOf } from './universe-datasets.ts'

/** The datasets that every universe has, of banks. */
export const ofBanks = datasetsOf({
  universe: banks,
  identity,
  filters: { state: state(), regulator: regulatorOf(), charter: charterClass() },
  sources: ['ffiec-call-report', 'fdic-institutions'],
})

/** A screen over the banks of a quarter. */
export const { screener } = ofBanks
