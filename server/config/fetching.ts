/** How files are fetched from the agencies. */
import { httpUrl, integer, secret, text } from './kinds.ts'

export const fetching = {
  FETCH_CONTACT: text(
    '',
    'Contact that agencies can write to about fetching, such as "Jane Doe jane@example.com": part of the user agent. Agencies that require one, such as the SEC, are not asked without it.',
    { type: 'printable ASCII', valid: (value) => /^[ -~]*$/.test(value) },
  ),
  FETCH_TRIES: integer(5, { min: 1, max: 20 }, 'Attempts per address before it counts as failed.'),
  FETCH_PAUSE_MS: integer(
    1000,
    { min: 1, max: 600_000 },
    "First pause between two attempts in milliseconds, doubled each time; a publisher's Retry-After takes precedence.",
  ),
  FETCH_IDLE_SECONDS: integer(
    30,
    { min: 1, max: 3600 },
    'An attempt is abandoned when less than 1 KiB arrives in this time.',
  ),
  CDR_USER: text('', "User of the FFIEC CDR's public web service."),
  CDR_TOKEN: text('', 'Token of CDR_USER; it expires after 90 days.', secret),
} as const

/** Settings of each source: the name ends with the source's key in upper case, with `_`. */
export const ofEachSource = {
  SOURCE_URL_: text(
    '',
    'Fetch a source from this address instead of its publisher, such as a mirror: SOURCE_URL_FRED for fred.',
    httpUrl,
  ),
  SOURCE_FROM_: integer(
    0,
    { min: 1900, max: 2200 },
    'First year to fetch of a source that is published by year or quarter: SOURCE_FROM_TREASURY. Empty: all years.',
  ),
} as const
