import { Agent, request } from 'undici'
import type { OurServer } from '../peers/ours.ts'

const PANEL = '/api/v1/screeners/panel/?metrics=roa,nim,equity_ratio&limit=20000'

interface Seen {
  status: number
  milliseconds: number
  whole: boolean
  retryAfter: string | undefined
}

/**
 * Measures what so many connections as the server has places are served, then ten times as many for the same time,
 * then the first again at once. Each request is another one, and heavy.
 */
export async function overload(server: OurServer, seconds: number) {
  const each = Math.max(5, Math.round(seconds / 3))
  const before = await hail(server, 8, each)
  const during = await hail(server, 80, each)
  const after = await hail(server, 8, each)
  return { before: summary(before, each), during: summary(during, each), after: summary(after, each) }
}

let asked = 0

async function hail({ origin, key }: OurServer, connections: number, seconds: number): Promise<Seen[]> {
  const dispatcher = new Agent({ connections, pipelining: 1 })
  const seen: Seen[] = []
  const end = performance.now() + seconds * 1000
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now()
      const { statusCode, headers, body } = await request(`${origin}${PANEL}&min_total_assets=${++asked}`, {
        dispatcher,
        headers: { authorization: `Bearer ${key}` },
      })
      const text = await body.text()
      seen.push({
        status: statusCode,
        milliseconds: performance.now() - began,
        whole: statusCode !== 200 || rightRows(text),
        retryAfter: headers['retry-after'] as string | undefined,
      })
      // who is told to come again later does, a little
      if (statusCode === 503) await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  await dispatcher.close()
  return seen
}

/** Whether the rows are as many as the envelope says. */
function rightRows(text: string): boolean {
  const { data, meta } = JSON.parse(text) as { data: unknown[]; meta: { count: number } }
  return data.length === meta.count && data.length > 0
}

function summary(seen: readonly Seen[], seconds: number) {
  const served = seen.filter(({ status }) => status === 200)
  const times = served.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const at = (share: number): number => Math.round(times[Math.floor(times.length * share)] ?? 0)
  const statuses: Record<string, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    statuses,
    servedPerSecond: Math.round((served.length / seconds) * 10) / 10,
    milliseconds: { p50: at(0.5), p99: at(0.99), most: Math.round(times.at(-1) ?? 0) },
    wrong: seen.filter(({ whole }) => !whole).length,
    refusedWithoutRetryAfter: seen.filter(({ status, retryAfter }) => status === 503 && !retryAfter).length,
  }
}
