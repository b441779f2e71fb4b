/** Every dataset by the examples of its declaration: which of them are slow, before anybody complains. */

import type { WireRequest } from './load/connection.ts'
import { LoadGenerator } from './load/generator.ts'
import { rate, table } from './report.ts'

interface Timing {
  readonly dataset: string
  readonly title: string
  readonly kilobytes: number
  /** Milliseconds of the first answer, and of the middle one of those after it. */
  readonly first: number
  readonly again: number
  readonly errors: Readonly<Record<string, number>>
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
}
interface Operation {
  readonly operationId: string
  readonly 'x-examples'?: readonly { readonly title: string; readonly url: string }[]
}

/** How long an example is asked again and again. */
const SECONDS = 0.3

export interface ExamplesReport {
  readonly timings: readonly Timing[]
  readonly text: string
  readonly failed: boolean
}

/** @param headers with a key that reads every dataset */
export async function examples(
  origin: string,
  headers: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<ExamplesReport> {
  const document = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as Document
  const load = new LoadGenerator()
  const timings: Timing[] = []
  try {
    for (const { get } of Object.values(document.paths))
      for (const { title, url } of get?.['x-examples'] ?? []) {
        const request: WireRequest = { path: url, headers }
        const job = { origin, requests: [request], connections: 1 }
        const first = await load.run({ ...job, seconds: 1, once: true })
        const again = await load.run({ ...job, seconds: SECONDS, once: false })
        const timing = {
          ...{ dataset: get.operationId, title, kilobytes: first.bytes / 1024 },
          ...{ first: first.p50, again: again.p50, errors: { ...first.errors, ...again.errors } },
        }
        timings.push(timing)
        say(`${timing.dataset}: ${title}: ${timing.first.toFixed(1)} ms, again ${timing.again.toFixed(2)} ms`)
      }
  } finally {
    load.close()
  }
  const slowest = timings.sort((a, b) => b.first - a.first)
  const rows = slowest.map((one) => [
    one.dataset,
    one.title,
    rate(one.kilobytes),
    one.first.toFixed(1),
    one.again.toFixed(2),
    Object.keys(one.errors).join(', '),
  ])
  return {
    timings,
    text: `${table(['dataset', 'example', 'KB', 'first ms', 'again ms', 'errors'], rows)}\n`,
    failed: timings.some(({ errors }) => Object.keys(errors).length > 0),
  }
}
