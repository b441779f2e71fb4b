import { isIP } from 'node:net'

/** Converts an environment variable's text; throws the words that follow "expected" when it is wrong. */
interface Setting<T> {
  type: string
  default: T
  doc: string
  secret: boolean
  parse(text: string): T
}

class Expected extends Error {}

function integer(byDefault: number, range: { min: number; max: number }, doc: string): Setting<number> {
  const type = `integer from ${range.min} to ${range.max}`
  return {
    type,
    default: byDefault,
    doc,
    secret: false,
    parse(text) {
      const value = Number(text)
      if (!/^[+-]?\d+$/.test(text) || value < range.min || value > range.max) throw new Expected(type)
      return value
    },
  }
}

/** A port that is not listened on unless it is given. */
function optionalPort(doc: string): Setting<number | null> {
  const { type, parse } = integer(0, { min: 0, max: 65_535 }, doc)
  return { type, default: null, doc, secret: false, parse }
}

function fraction(byDefault: number, doc: string): Setting<number> {
  const type = 'number from 0 to 1'
  return {
    type,
    default: byDefault,
    doc,
    secret: false,
    parse(text) {
      const value = Number(text)
      if (!/^\d*\.?\d+$/.test(text) || value > 1) throw new Expected(type)
      return value
    },
  }
}

const allowance = (byDefault: number, doc: string): Setting<number> =>
  integer(byDefault, { min: 0, max: 1_000_000_000 }, `${doc}; 0: without limit.`)

function flag(byDefault: boolean, doc: string): Setting<boolean> {
  const type = '1 or 0'
  return {
    type,
    default: byDefault,
    doc,
    secret: false,
    parse(text) {
      if (text === '1' || text === 'true') return true
      if (text === '0' || text === 'false') return false
      throw new Expected(type)
    },
  }
}

function choice<const T extends string>(byDefault: T, choices: readonly T[], doc: string): Setting<T> {
  const type = `one of ${choices.join(', ')}`
  return {
    type,
    default: byDefault,
    doc,
    secret: false,
    parse(text) {
      const found = choices.find((one) => one === text)
      if (found === undefined) throw new Expected(type)
      return found
    },
  }
}

function text(
  byDefault: string,
  doc: string,
  rule?: { type: string; valid(value: string): boolean; secret?: boolean },
): Setting<string> {
  return {
    type: rule?.type ?? 'text',
    default: byDefault,
    doc,
    secret: rule?.secret ?? false,
    parse(value) {
      if (rule && !rule.valid(value)) throw new Expected(rule.type)
      return value
    },
  }
}

const secret = { type: 'text', secret: true, valid: () => true }
const httpUrl = { type: 'http:// or https:// address', valid: isHttpUrl }
const optionalUrl = { type: httpUrl.type, valid: (value: string) => value === '' || isHttpUrl(value) }
const identifier = {
  type: 'a name of letters, digits and _, not beginning with a digit',
  valid: (value: string) => /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value),
}

const MIB = 2 ** 20
const DAY_SECONDS = 86_400

/** Every setting that the environment can give: the one table that code, documentation and tests read. */
export const settings = {
  HOST: text('127.0.0.1', 'Address to listen on.'),
  PORT: integer(8080, { min: 0, max: 65_535 }, 'Port to listen on; 0 takes a free one.'),
  TRUSTED_PROXIES: text(
    '',
    'Proxies whose X-Forwarded-For says the address of a client; empty: none, the address is that of the connection.',
    {
      type: 'addresses and ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, divided by commas',
      valid: isProxyList,
    },
  ),
  LOG_LEVEL: choice(
    'info',
    ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    'The least severe log line that is written.',
  ),
  REQUEST_LOG: choice(
    'all',
    ['all', 'failed', 'none'],
    'Which requests have a line in the log: each, those that the server failed (5xx), or none.',
  ),
  OPS_HOST: text('127.0.0.1', 'Address of the operations port; the public must not reach it.'),
  OPS_PORT: optionalPort(
    'Port of /metrics (Prometheus) and of health; 0 takes a free one. Empty: there is no operations port.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    '',
    'OpenTelemetry collector that traces are sent to, by OTLP over HTTP, such as http://127.0.0.1:4318; empty: none.',
    optionalUrl,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: text('', 'Headers for the collector: name=value,name=value.', {
    type: 'name=value, several by comma, values percent-encoded',
    secret: true,
    valid: isHeaderList,
  }),
  OTEL_SERVICE_NAME: text('us-banking-query-server', 'What traces call this server.'),
  OTEL_TRACES_SAMPLER_ARG: fraction(
    1,
    "Share of requests that are traced; one whose caller's trace decides follows that.",
  ),
  DATA_DIR: text('data', 'Folder of everything that is kept: the embedded engine and its data.'),
  BACKUP_DIR: text(
    '',
    "Folder of the embedded engine's backups (npm run backup); empty: backups in DATA_DIR.",
  ),
  DEMO: flag(true, 'Build the synthetic demo universe when no data is loaded.'),
  DEMO_QUARTERS: integer(40, { min: 8, max: 200 }, 'Quarters in the demo universe.'),

  CLICKHOUSE_URL: text(
    '',
    'Address of a ClickHouse server or cluster; empty: the embedded engine, in DATA_DIR.',
    optionalUrl,
  ),
  CLICKHOUSE_USER: text('default', "The loader's user on the server at CLICKHOUSE_URL (sql/roles.sql)."),
  CLICKHOUSE_PASSWORD: text('', 'Password of CLICKHOUSE_USER.', secret),
  CLICKHOUSE_READER_USER: text(
    '',
    'The read-only user that answers requests at CLICKHOUSE_URL (sql/roles.sql); empty: CLICKHOUSE_USER.',
  ),
  CLICKHOUSE_READER_PASSWORD: text('', 'Password of CLICKHOUSE_READER_USER.', secret),
  CLICKHOUSE_DATABASE: text(
    'banking',
    'The control database; version databases are named after it with _v_ and a time.',
    identifier,
  ),

  ENGINE_START_SECONDS: integer(
    60,
    { min: 1, max: 3600 },
    'How long the embedded engine may take to answer after it was started.',
  ),
  ENGINE_MEMORY_MIB: integer(
    0,
    { min: 0, max: 16 * MIB },
    "Memory that the embedded engine may use, in MiB; 0: 80 % of the machine's.",
  ),
  ENGINE_CACHE_MIB: integer(256, { min: 0, max: MIB }, "The embedded engine's cache of marks, in MiB."),
  QUERY_SECONDS: integer(
    30,
    { min: 1, max: 3600 },
    'Longest time that one read query may take: to its end, or to the first bytes of a streamed answer.',
  ),
  QUERY_ROWS: integer(20_000_000, { min: 1, max: Number.MAX_SAFE_INTEGER }, 'Most rows of one answer.'),
  QUERY_READ_ROWS: integer(
    2_000_000_000,
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    'Most rows that one read query may read.',
  ),
  STREAM_SECONDS: integer(
    600,
    { min: 1, max: DAY_SECONDS },
    "Longest time that a streamed export may take, the client's own slowness included.",
  ),
  QUERY_MEMORY_MIB: integer(2048, { min: 64, max: 16 * MIB }, 'Most memory for one read query, in MiB.'),
  READERS_MEMORY_MIB: integer(
    4096,
    { min: 64, max: 16 * MIB },
    'Most memory for all read queries together, in MiB; at the embedded engine at most three quarters of what ENGINE_MEMORY_MIB leaves beside its caches, so that loads and the server itself always have some.',
  ),
  QUERY_THREADS: integer(
    0,
    { min: 0, max: 1024 },
    "Most threads for one read query; 0: the machine's cores, at most 8.",
  ),
  MAX_CONCURRENT_QUERIES: integer(
    8,
    { min: 1, max: 1000 },
    'Read queries that run at once; the server queues what is beyond.',
  ),
  MAX_URL_LENGTH: integer(16_384, { min: 256, max: MIB }, 'Longer URLs are refused with 414, in characters.'),
  MAX_HEADER_BYTES: integer(
    32_768,
    { min: 1024, max: 16 * MIB },
    'Larger request heads (the URL and all headers) are refused with 431.',
  ),
  REQUEST_SECONDS: integer(15, { min: 1, max: 3600 }, 'How long a client may take to send its request.'),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    1000,
    { min: 0, max: 60_000 },
    'While this process answers its own timers later than this, in milliseconds, requests get 503; 0: never.',
  ),
  DRAIN_SECONDS: integer(
    10,
    { min: 0, max: 3600 },
    'How long a stop (SIGTERM, SIGINT) waits for answers that are under way before it cuts them.',
  ),
  MAX_WAIT_MS: integer(
    2000,
    { min: 0, max: 60_000 },
    'Longest time that a request waits for its turn at the engine, in milliseconds; one that would wait longer gets 503.',
  ),
  CLIENT_QUERIES: integer(
    64,
    { min: 1, max: 10_000 },
    'Requests of one client (key or address) that may be at the engine or wait for it at once, streams to their end included; beyond it 429.',
  ),
  CACHE_MIB: integer(128, { min: 0, max: MIB }, 'Memory for finished answers, in MiB; 0: none is kept.'),
  CACHE_ANSWER_MIB: integer(
    32,
    { min: 0, max: MIB },
    'The longest answer that is kept in memory, in MiB (at most half of CACHE_MIB); longer ones are streamed.',
  ),
  CACHE_FILES_MIB: integer(
    2048,
    { min: 0, max: 16 * MIB },
    'Disk in DATA_DIR for long answers whose length or ranges are asked for, in MiB; 0: such requests get a stream.',
  ),
  RESIDENT_MIB: integer(
    256,
    { min: 0, max: MIB },
    'Memory for what the server keeps of a data version to answer without the engine, in MiB; what would need more is not kept.',
  ),
  VERSION_GRACE_SECONDS: integer(
    60,
    { min: 0, max: DAY_SECONDS },
    'How long a replaced data version is kept for the requests that still read it.',
  ),
  VERSION_POLL_MS: integer(
    500,
    { min: 50, max: 60_000 },
    'How often a running server looks for a newly published data version, in milliseconds.',
  ),
  BUILD_WAIT_SECONDS: integer(
    600,
    { min: 0, max: DAY_SECONDS },
    'How long a load waits for another one to end before it gives up.',
  ),

  KEYS_POLL_MS: integer(
    1000,
    { min: 50, max: 2500 },
    'How often a running server looks for API keys that were made, changed or revoked, in milliseconds.',
  ),
  REDIS_URL: text(
    '',
    'A Redis through which several instances share the allowances of the day; empty: through ClickHouse.',
    {
      type: 'redis:// or rediss:// address',
      secret: true,
      valid: (value) => value === '' || (URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)),
    },
  ),
  USE_SYNC_MS: integer(
    500,
    { min: 50, max: 1000 },
    'How often counted requests are written down and those of other instances read, in milliseconds: what kill -9 can lose.',
  ),
  ALLOWANCE_NO_KEY: allowance(1000, 'Answers a UTC day for each address that sends no key'),
  ALLOWANCE_FREE: allowance(200, 'Answers a UTC day for each free key'),
  ALLOWANCE_PREMIUM: allowance(250_000, 'Answers a UTC day for each premium key'),
  BURST_NO_KEY: allowance(50, 'Requests a second for each address that sends no key'),
  BURST_FREE: allowance(50, 'Requests a second for each free key'),
  BURST_PREMIUM: allowance(500, 'Requests a second for each premium key'),

  TREASURY_URL: text(
    'https://home.treasury.gov',
    'Where the loader fetches Treasury rates; a mirror or a replay may stand in.',
    httpUrl,
  ),
  TREASURY_FROM_YEAR: integer(
    1990,
    { min: 1990, max: 2200 },
    'First year of Treasury rates that the loader fetches when no files are given.',
  ),
  FRED_URL: text('https://fred.stlouisfed.org', 'Where the loader fetches FRED series.', httpUrl),
  PMMS_URL: text('https://www.freddiemac.com', "Where the loader fetches Freddie Mac's survey.", httpUrl),
  FDIC_API_URL: text(
    'https://api.fdic.gov/banks',
    "Where the loader fetches institutions: the FDIC's BankFind API.",
    httpUrl,
  ),
  FDIC_URL: text('https://www.fdic.gov', "Where the loader fetches FDIC's national rates.", httpUrl),
  UBPR_GUIDE_URL: text(
    'https://cdr.ffiec.gov/Public/DownloadUBPRUserGuide.aspx',
    "Where the loader fetches the UBPR User's Guide, as a CSV or JSON table of its concepts.",
    httpUrl,
  ),
} as const satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

/** The settings as code uses them: `DATA_DIR` is `dataDir`. */
export type Config = {
  readonly [Name in keyof Settings as Camel<Name>]: ReturnType<Settings[Name]['parse']>
}

/** One or more settings are wrong; the message has a line for each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly code = 'CONFIG'
}

/**
 * Reads the settings from an environment (`process.env`, or a test's own object). An empty variable counts as
 * not set.
 * @throws ConfigError naming every wrong setting, its value (never a secret's) and what was expected.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    values[camelCase(name)] = setting.default
    const given = env[name]?.trim()
    if (given === undefined || given === '') continue
    try {
      values[camelCase(name)] = setting.parse(given)
    } catch (error) {
      if (!(error instanceof Expected)) throw error
      problems.push(
        `${name} is ${setting.secret ? 'wrong' : JSON.stringify(given)}: expected ${error.message}`,
      )
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return values as unknown as Config
}

/** `DATA_DIR` → `dataDir`. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

function isHeaderList(value: string): boolean {
  return value.split(',').every((pair) => {
    const [, encoded] = /^\s*[\w!#$%&'*+.^`|~-]+=(.*)$/.exec(pair) ?? []
    try {
      return encoded !== undefined && decodeURIComponent(encoded) !== null
    } catch {
      return false
    }
  })
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function isProxyList(value: string): boolean {
  return value.split(',').every((part) => {
    const [address, bits, ...rest] = part.trim().split('/')
    if (bits === undefined)
      return isIP(address!) > 0 || ['loopback', 'linklocal', 'uniquelocal'].includes(address!)
    const most = isIP(address!) === 4 ? 32 : isIP(address!) === 6 ? 128 : -1
    return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= most
  })
}
