import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { resolveLibchdb } from 'chdb/libchdb'
import { EngineStartError } from './errors.ts'

/** The native parts of the embedded engine. */
export interface Libraries {
  /** Absolute path of libchdb, which holds a whole ClickHouse. */
  chdb: string
  /** Name of the C library, as `dlopen` finds it. */
  c: string
}

/**
 * Finds the embedded engine's native packages; loads nothing, so it costs no memory in this process.
 * @throws EngineStartError `LIBRARY_MISSING` where npm has none for this platform, or they were not installed.
 */
export function findLibraries(env: NodeJS.ProcessEnv = process.env): Libraries {
  try {
    const chdb = resolveLibchdb({ env }).path
    const require = createRequire(import.meta.url)
    require.resolve('ffi-rs', { paths: [dirname(chdb), import.meta.dirname] })
    return { chdb, c: process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6' }
  } catch (cause) {
    throw new EngineStartError(
      'LIBRARY_MISSING',
      `The embedded ClickHouse has no native package installed for ${process.platform}-${process.arch}. It runs on ` +
        'Linux x64 with glibc (not Alpine); packages for Linux arm64 and macOS exist as well, and `npm ci` must ' +
        'not omit optional dependencies. Elsewhere run a ClickHouse server and set CLICKHOUSE_URL to its address, ' +
        'with the users of sql/roles.sql.',
      { cause },
    )
  }
}
