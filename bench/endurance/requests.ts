import type { OurServer } from '../peers/ours.ts'
import { readUniverse } from '../universe.ts'

/** Requests that no cache has: every bank's own series, and screens by ever other bounds. */
export async function freshRequests({ origin, key }: OurServer, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` }
  const { banks, screen } = await readUniverse((path) => fetch(`${origin}${path}`, { headers }))
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? `/api/v1/banks/${banks[i % banks.length]}/trends/?metrics=roa,nim,equity_ratio&quarters=${1 + (i % 15)}`
      : `/api/v1/screeners/banks/?state=${screen.state}&min_total_assets=${i}&fields=rssd_id,legal_name,roa`,
  )
}
