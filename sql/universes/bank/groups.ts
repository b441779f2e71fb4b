import { quoted } from '../../quoted.ts'

/**
 * Groups that complaints name and FDIC's institutions do not, as FDIC tells holding companies of the Bank Holding Company Act:
 * parents abroad, savings and loan holding companies, and others. The RSSD ID is of the bank that all but makes up the group.
 */
const groups: readonly (readonly [rssdId: number, name: string])[] = [
  [497404, 'TD BANK US HOLDING COMPANY'],
  [413208, 'HSBC NORTH AMERICA HOLDINGS INC.'],
  [697633, 'BBVA FINANCIAL CORPORATION'],
  [723112, 'FIFTH THIRD FINANCIAL CORPORATION'],
  [1216022, 'SYNCHRONY FINANCIAL'],
  [3394278, 'SLM CORPORATION'],
  [3150447, 'CHARLES SCHWAB CORPORATION, THE'],
  [619877, 'UNITED SERVICES AUTOMOBILE ASSOCIATION'],
]

export const groupsSql = groups
  .map(([id, name]) => `SELECT toUInt32(${id}) AS id, ${quoted(name)} AS name`)
  .join(' UNION ALL ')
