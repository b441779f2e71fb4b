/** API keys, and what the clients of each plan may ask. */
import { integer, type Setting, text } from './kinds.ts'

const allowance = (byDefault: number, doc: string): Setting<number> =>
  integer(byDefault, { min: 0, max: 1_000_000_000 }, `${doc}; 0: unlimited.`)

export const access = {
  KEYS_POLL_MS: integer(
    1000,
    { min: 50, max: 2500 },
    'How often a running server checks for API keys that were created, changed or revoked, in milliseconds.',
  ),
  REDIS_URL: text(
    '',
    'Redis through which several instances share the daily allowances; empty: through ClickHouse.',
    {
      type: 'redis:// or rediss:// address',
      secret: true,
      valid: (value) => value === '' || (URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)),
    },
  ),
  USE_SYNC_MS: integer(
    500,
    { min: 50, max: 1000 },
    'How often request counts are written and those of other instances are read, in milliseconds: what kill -9 can lose.',
  ),
  ALLOWANCE_NO_KEY: allowance(1000, 'Answers per UTC day for each address that sends no key'),
  ALLOWANCE_FREE: allowance(200, 'Answers per UTC day for each free key'),
  ALLOWANCE_PREMIUM: allowance(250_000, 'Answers per UTC day for each premium key'),
  BURST_NO_KEY: allowance(50, 'Requests per second for each address that sends no key'),
  BURST_FREE: allowance(50, 'Requests per second for each free key'),
  BURST_PREMIUM: allowance(500, 'Requests per second for each premium key'),
  WATCHLIST_MOST: integer(1000, { min: 1, max: 100_000 }, 'Most institutions that a key may watch.'),
} as const
