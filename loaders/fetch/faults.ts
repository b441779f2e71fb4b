import { LoadError, wordsOf } from '../lib/errors.ts'

/** The publisher answered that there is no such file (404 or 410): trying again is of no use. */
export class NotPublished extends LoadError {
  override name = 'NotPublished'
}

/** A fault that another try may not meet. */
export class Passing extends Error {
  readonly pauseMs: number | undefined
  constructor(message: string, pauseMs?: number) {
    super(message)
    this.pauseMs = pauseMs
  }
}

/** What a status that is no success means for the fetch. */
export function refusalOf(url: string, { status, statusText, headers }: Response): Error {
  const answer = `the publisher answered ${status} ${statusText}`.trim()
  if (status === 404 || status === 410) return new NotPublished(`${url}: ${answer}`)
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return new Passing(answer, retryAfter(headers.get('retry-after')))
  return new LoadError(`${url}: ${answer}`)
}

/** `Retry-After` in milliseconds: a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** `fetch failed` says nothing: its cause does. */
export function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return cause === undefined ? wordsOf(error) : `${wordsOf(error)}: ${wordsOf(cause)}`
}
