import type { ProblemCode } from './datasets.ts'

/** Why a value was refused. */
export interface Fault {
  readonly parameter: string
  readonly reason: string
  readonly allowed?: string | readonly string[]
  readonly did_you_mean?: string
}

/** An answer that is a problem (RFC 9457), in the server's words. */
export class Problem extends Error {
  override name = 'Problem'
  /** Empty where what answered was not the server. */
  readonly code: ProblemCode | ''
  readonly status: number
  readonly faults: readonly Fault[]
  readonly requestId: string | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Record<string, unknown>, retryAfter?: number) {
    super(body.detail ? `${body.title}: ${body.detail}` : `the server answered ${status}`)
    this.status = status
    this.code = (body.code as ProblemCode | undefined) ?? ''
    this.faults = (body.errors as Fault[] | undefined) ?? []
    this.requestId = body.request_id as string | undefined
    this.retryAfter = retryAfter
  }

  /** What was probably meant. */
  get suggestion(): string | undefined {
    return this.faults.find((fault) => fault.did_you_mean !== undefined)?.did_you_mean
  }
}

/** The answer broke off, and what is missing could not be got. */
export class AnswerCut extends Error {
  override name = 'AnswerCut'
}

export async function problemOf(response: Response): Promise<Problem> {
  const body: Record<string, unknown> = await response.json().then(
    (document) => document as Record<string, unknown>,
    () => ({}),
  )
  const after = response.headers.get('retry-after')
  return new Problem(response.status, body, after === null ? undefined : Number(after))
}
