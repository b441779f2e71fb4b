import autocannon from 'autocannon'
import type { OurServer } from '../peers/ours.ts'
import { freshRequests } from './requests.ts'

/** As many requests as 16 connections make in the given time; none is asked twice within thousands. */
export async function sustained(server: OurServer, seconds: number) {
  const paths = await freshRequests(server, 4000)
  const result = await autocannon({
    url: server.origin,
    connections: 16,
    duration: seconds,
    headers: { authorization: `Bearer ${server.key}` },
    requests: paths.map((path) => ({ method: 'GET', path })),
  })
  return {
    seconds: result.duration,
    requests: result.requests.total,
    perSecond: result.requests.average,
    milliseconds: { p50: result.latency.p50, p99: result.latency.p99, most: result.latency.max },
    errors: result.errors,
    timeouts: result.timeouts,
    other: result.non2xx,
  }
}
