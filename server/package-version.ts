import { readFileSync } from 'node:fs'

/** The version of this package: in the OpenAPI document, and part of every ETag. */
export const packageVersion: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
