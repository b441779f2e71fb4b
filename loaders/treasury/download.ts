import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { downloadAll } from '../lib/download-all.ts'
import type { Progress } from '../lib/progress.ts'
import type { Refusal } from '../lib/source.ts'
import { feeds, firstYear } from './tables.ts'

/** Below the address of Treasury's site. */
const pathOf = (feed: string, year: number): string =>
  `/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/${year}/all` +
  `?type=${feed}&field_tdr_date_value=${year}&page&_format=csv`

/** Fetches each feed year by year, from TREASURY_FROM_YEAR to this year. */
export function downloadTreasury(
  folder: string,
  progress: Progress,
  refuse?: (refusal: Refusal) => void,
): Promise<string[]> {
  const { treasuryUrl, treasuryFromYear } = readConfig(process.env)
  const thisYear = new Date().getUTCFullYear()
  const wanted = feeds.flatMap((feed) => {
    const first = Math.max(treasuryFromYear, firstYear[feed])
    return Array.from({ length: Math.max(0, thisYear - first + 1) }, (_, index) => ({
      url: `${treasuryUrl}${pathOf(feed, first + index)}`,
      path: join(folder, `${feed}-${first + index}.csv`),
      // In the first days of January the year has no table yet.
      mayLack: first + index === thisYear,
    }))
  })
  return downloadAll(wanted, progress, refuse)
}
