/** The data folder, the ClickHouse behind the server, and what its queries and caches may use. */
import { mostQuarters } from '../../sql/demo/limits.ts'
import { DAY_SECONDS, MIB } from './amounts.ts'
import { choice, flag, httpUrls, identifier, integer, optionalIdentifier, secret, text } from './kinds.ts'

export const storage = {
  DATA_DIR: text('data', 'Data folder: the embedded engine and everything else that is kept.'),
  BACKUP_DIR: text(
    '',
    'Folder of the backups of the embedded engine (npm run backup); empty: backups in DATA_DIR.',
  ),
  DEMO: flag(true, 'Build a synthetic demo history when nothing has been loaded yet.'),
  DEMO_QUARTERS: integer(
    40,
    { min: 8, max: mostQuarters },
    'Quarters of the demo history; one with fewer is rebuilt while it is served, one with more is kept.',
  ),
  TRAIN: choice(
    'manual',
    ['manual', 'auto'],
    'When the failure model is trained: by npm run train alone, or also after each load of new quarters or failures.',
  ),
  VERSION_GRACE_SECONDS: integer(
    60,
    { min: 0, max: DAY_SECONDS },
    'How long a replaced data version is kept for requests that still read it.',
  ),
  VERSION_POLL_MS: integer(
    500,
    { min: 50, max: 60_000 },
    'How often a running server checks for a newly published data version, in milliseconds.',
  ),
  BUILD_WAIT_SECONDS: integer(
    600,
    { min: 0, max: DAY_SECONDS },
    'How long a load waits for another one to finish before it gives up.',
  ),
} as const

export const clickhouse = {
  CLICKHOUSE_URL: httpUrls(
    'Address of a ClickHouse server, or of several that hold the same data versions: reads are spread over all, loads and keys go to the first (docs/operating.md, Replicas). Empty: the embedded engine, in DATA_DIR.',
  ),
  CLICKHOUSE_CLUSTER: text(
    '',
    'Cluster in the remote_servers of the servers at CLICKHOUSE_URL, between whose shards the rows of institutions are divided (docs/operating.md, Cluster). Empty: every server has all of them.',
    optionalIdentifier,
  ),
  CLICKHOUSE_USER: text('default', 'User at CLICKHOUSE_URL that loads data (sql/roles.sql).'),
  CLICKHOUSE_PASSWORD: text('', 'Password of CLICKHOUSE_USER.', secret),
  CLICKHOUSE_READER_USER: text(
    '',
    'Read-only user at CLICKHOUSE_URL that answers requests (sql/roles.sql); empty: CLICKHOUSE_USER.',
  ),
  CLICKHOUSE_READER_PASSWORD: text('', 'Password of CLICKHOUSE_READER_USER.', secret),
  CLICKHOUSE_DATABASE: text(
    'banking',
    'The control database; version databases carry its name, followed by _v_ and a timestamp.',
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
    "Memory limit of the embedded engine in MiB; 0: 80 % of the machine's memory.",
  ),
  ENGINE_CACHE_MIB: integer(256, { min: 0, max: MIB }, "The embedded engine's mark cache, in MiB."),
} as const

export const queries = {
  QUERY_SECONDS: integer(
    30,
    { min: 1, max: 3600 },
    'Longest time for one read query: until its end, or until the first bytes of a streamed answer.',
  ),
  QUERY_ROWS: integer(20_000_000, { min: 1, max: Number.MAX_SAFE_INTEGER }, 'Most rows in one answer.'),
  QUERY_READ_ROWS: integer(
    2_000_000_000,
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    'Most rows that one read query may read.',
  ),
  QUERY_MEMORY_MIB: integer(2048, { min: 64, max: 16 * MIB }, 'Most memory for one read query, in MiB.'),
  READERS_MEMORY_MIB: integer(
    4096,
    { min: 64, max: 16 * MIB },
    'Most memory for all read queries together, in MiB. With the embedded engine it is at most three quarters of what ENGINE_MEMORY_MIB leaves beside the caches, so that loads and the server itself always have some.',
  ),
  QUERY_THREADS: integer(
    0,
    { min: 0, max: 1024 },
    "Most threads for one read query; 0: the machine's cores, at most 8.",
  ),
} as const

export const memory = {
  CACHE_MIB: integer(128, { min: 0, max: MIB }, 'Memory for cached answers, in MiB; 0: no cache.'),
  CACHE_ANSWER_MIB: integer(
    32,
    { min: 0, max: MIB },
    'Longest answer that is cached in memory, in MiB (at most half of CACHE_MIB); longer ones are streamed.',
  ),
  CACHE_FILES_MIB: integer(
    2048,
    { min: 0, max: 16 * MIB },
    'Disk space in DATA_DIR for long answers whose length or ranges clients ask for, in MiB; 0: such requests get a stream.',
  ),
  RESIDENT_MIB: integer(
    320,
    { min: 0, max: MIB },
    'Memory for figures of a data version that are answered without the engine, in MiB; what needs more is not held.',
  ),
  HISTORY_MIB: integer(
    12288,
    { min: 0, max: 16 * MIB },
    'Disk space in DATA_DIR for all metrics of all quarters, in MiB: by institution, from which series are answered without the engine, by column, from which panels in Arrow are, and by column as text, from which panels in JSON and CSV are. The newest years come first, what needs more is left to the engine. 0: none.',
  ),
  HISTORY_MEMORY_MIB: integer(
    512,
    { min: 0, max: MIB },
    'Memory for columns of these files that panels ask for again and again, in MiB.',
  ),
} as const
