/** How panels are divided. */
import { ONE_BATCH_ROWS } from '../arrow.ts'

export interface Limits {
  /** So many rows are one batch, with dictionaries. */
  readonly oneBatch: number
  /** Where there are more: so many rows of a batch at most. */
  readonly batch: number
  /** Bytes of the largest batch that is in memory whole, rather than column by column; of text a year is one. */
  readonly whole: number
}

export const limits: Limits = { oneBatch: ONE_BATCH_ROWS, batch: 32_768, whole: 16 * 2 ** 20 }
