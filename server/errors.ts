/** Every problem that the API answers with, declared once: code, status, title and what to do about it. */

interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly doc: string
}

export const problems = {
  'invalid-parameter': {
    status: 400,
    title: 'A parameter is not valid',
    doc: 'A parameter is unknown, out of range, or names something that does not exist. `errors` names each one with the reason, what is allowed and, for a near miss, the likely meaning.',
  },
  'bad-request': {
    status: 400,
    title: 'The request cannot be read',
    doc: 'The URL or a header is malformed, for example a percent sign that starts no escape.',
  },
  'key-required': {
    status: 401,
    title: 'A key is required',
    doc: 'The dataset is for holders of a key: send it as `Authorization: Bearer <API_KEY>`.',
  },
  'key-invalid': {
    status: 401,
    title: 'The key is not valid',
    doc: 'The key is malformed, unknown, revoked or replaced. It is rejected on public data too, so that a mistake is noticed; without a key public data is open to everybody.',
  },
  'plan-required': {
    status: 403,
    title: 'Another plan is required',
    doc: 'The key is valid, but its plan does not include this dataset.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    doc: 'The path, the institution or the quarter is unknown; `detail` says which. A bank that exists but did not file the quarter gets it too.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    doc: 'Only GET and HEAD are supported; `Allow` lists them.',
  },
  'format-not-available': {
    status: 406,
    title: 'Format not available',
    doc: 'None of the media types in `Accept` is offered here; `errors` lists those that are. (`format` is a parameter: a wrong one is `invalid-parameter`.)',
  },
  'precondition-failed': {
    status: 412,
    title: 'The answer is another one',
    doc: 'The answer is not the one that `If-Match` names: the data have been published again since, or it is another query.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'No such bytes',
    doc: 'The range begins after the last byte of the answer; `Content-Range` says how many it has.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    doc: 'Ask for fewer values at once.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The request headers are too large',
    doc: 'Send fewer or shorter headers.',
  },
  'allowance-used-up': {
    status: 429,
    title: 'The allowance of the day is used up',
    doc: 'Every answer of a dataset counts, and so does any other request that needed a query; a 304, a rejection without a query and a server error do not. The allowance is reset at 00:00 UTC, in `Retry-After` seconds.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests at once',
    doc: 'This client has sent more concurrent requests, or more per second, than it may. Try again after `Retry-After` seconds.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    doc: 'An error of the server. Its log has the details under the request id.',
  },
  'not-served-yet': {
    status: 501,
    title: 'Not served yet',
    doc: 'The dataset is in the catalog, but this server does not hold it yet.',
  },
  'engine-unavailable': {
    status: 503,
    title: 'The engine is not available',
    doc: 'ClickHouse is starting, cannot be reached, or found its data damaged; `detail` says which. Try again after `Retry-After` seconds.',
  },
  overloaded: {
    status: 503,
    title: 'Too much at once',
    doc: 'There are more requests than the engine can answer soon, or its memory is used up. Try again after `Retry-After` seconds.',
  },
  'no-data': {
    status: 503,
    title: 'No data yet',
    doc: 'Nothing is published yet: the first data is still being built or loaded. Try again after `Retry-After` seconds.',
  },
  'query-timeout': {
    status: 504,
    title: 'The query took too long',
    doc: 'The query ran longer than allowed and was stopped. Ask for fewer quarters, metrics or rows.',
  },
  'query-too-large': {
    status: 504,
    title: 'The query is too large',
    doc: 'The query needs more rows or memory than one query is allowed and was stopped. Ask for fewer quarters, metrics or rows, or for pages with `limit`.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

/** Why a value was rejected: an entry of the problem's `errors[]`. */
export interface Fault {
  parameter: string
  reason: string
  allowed?: string | readonly string[] | undefined
  did_you_mean?: string | undefined
}

export interface ProblemOptions {
  readonly errors?: readonly Fault[]
  readonly retryAfter?: number
  readonly allow?: string
  /** `WWW-Authenticate`. */
  readonly authenticate?: string
  readonly cause?: unknown
}

/** Thrown anywhere on the request path; the error handler writes it as `application/problem+json`. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly errors: readonly Fault[] | undefined
  readonly retryAfter: number | undefined
  readonly allow: string | undefined
  readonly authenticate: string | undefined

  /** `detail` is for the reader: it names the thing and what was expected, and leaks nothing from inside. */
  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    const kind: ProblemKind = problems[code]
    this.code = code
    this.status = kind.status
    this.title = kind.title
    this.errors = options.errors
    this.retryAfter = options.retryAfter
    this.allow = options.allow
    this.authenticate = options.authenticate
  }
}
