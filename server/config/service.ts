/** Where the server listens, what it writes about itself, and which requests it takes. */
import { DAY_SECONDS, MIB } from './amounts.ts'
import { choice, fraction, headerList, integer, optionalPort, optionalUrl, proxyList, text } from './kinds.ts'

export const listening = {
  HOST: text('127.0.0.1', 'Address to listen on.'),
  PORT: integer(8080, { min: 0, max: 65_535 }, 'Port to listen on; 0 takes a free one.'),
  PROCESSES: integer(
    1,
    { min: 0, max: 256 },
    'Processes that answer requests at the port, each on one core, over one engine; 0: one for each core.',
  ),
  TRUSTED_PROXIES: text(
    '',
    "Proxies whose X-Forwarded-For header gives a client's address; empty: none, the address is that of the connection.",
    proxyList,
  ),
  OPS_HOST: text('127.0.0.1', 'Address of the operations port, which must not be reachable by the public.'),
  OPS_PORT: optionalPort(
    'Port of /metrics (Prometheus) and the health checks; 0 takes a free one. Empty: there is no operations port.',
  ),
  DRAIN_SECONDS: integer(
    10,
    { min: 0, max: 3600 },
    'On SIGTERM or SIGINT, how long answers under way may take to finish before they are cut off.',
  ),
} as const

export const observing = {
  LOG_LEVEL: choice(
    'info',
    ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    'Lowest severity that is logged.',
  ),
  REQUEST_LOG: choice(
    'all',
    ['all', 'failed', 'none'],
    'Which requests are logged: all, those that failed at the server (5xx), or none.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    '',
    'OpenTelemetry collector that traces are sent to (OTLP over HTTP), such as http://127.0.0.1:4318; empty: none.',
    optionalUrl,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: text('', 'Headers sent to the collector: name=value,name=value.', {
    ...headerList,
    secret: true,
  }),
  OTEL_SERVICE_NAME: text('us-banking-query-server', 'Service name in traces.'),
  OTEL_TRACES_SAMPLER_ARG: fraction(
    1,
    "Share of requests that are traced; a request that is part of the caller's trace follows the caller's decision.",
  ),
} as const

export const requests = {
  MAX_URL_LENGTH: integer(
    16_384,
    { min: 256, max: MIB },
    'Longest URL in characters; longer ones are rejected with 414.',
  ),
  MAX_HEADER_BYTES: integer(
    32_768,
    { min: 1024, max: 16 * MIB },
    'Largest request head (URL and all headers) in bytes; larger ones are rejected with 431.',
  ),
  REQUEST_SECONDS: integer(15, { min: 1, max: 3600 }, 'Longest time a client may take to send its request.'),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    1000,
    { min: 0, max: 60_000 },
    'Event loop delay in milliseconds above which requests are rejected with 503; 0: never.',
  ),
  MAX_CONCURRENT_QUERIES: integer(
    8,
    { min: 1, max: 1000 },
    'Read queries that run at the same time; further ones are queued.',
  ),
  MAX_WAIT_MS: integer(
    2000,
    { min: 0, max: 60_000 },
    'Longest queueing time in milliseconds; a request expected to wait longer is rejected at once with 503.',
  ),
  CLIENT_QUERIES: integer(
    64,
    { min: 1, max: 10_000 },
    'Requests of one client (key or address) that may run or be queued at the same time, streams until their end included; and, separately, long answers that it has not read yet. Beyond it: 429.',
  ),
  STREAM_SECONDS: integer(
    600,
    { min: 1, max: DAY_SECONDS },
    'Longest time for sending a streamed answer, including time spent waiting for a slow client; then it is cut off.',
  ),
  STALL_SECONDS: integer(
    60,
    { min: 1, max: DAY_SECONDS },
    'An answer is cut off when its client reads nothing for this long; after a sixth of it while slow readers occupy all query slots and other requests are queued.',
  ),
} as const
