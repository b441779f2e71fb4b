import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { engineMemory, loaderProfile, type Profile, readerProfile } from './profiles.ts'

/** The password of each user of the embedded engine, made anew at each start. */
export interface Secrets {
  reader: string
  loader: string
}

const MIB = 2 ** 20

/** The server configuration of the embedded engine. @param further elements of it */
export function configXml(
  config: Config,
  files: { users: string; log: string; backups: string },
  further: Element = {},
): string {
  return document({
    ...further,
    logger: { log: files.log, size: '10M', count: 2 },
    users_config: files.users,
    timezone: 'UTC',
    backups: { allowed_path: files.backups, allow_concurrent_backups: 0 },
    mark_cache_size: config.engineCacheMib * MIB,
    uncompressed_cache_size: config.engineCacheMib * MIB,
    // idle connections of other processes would hold up the end of the engine
    keep_alive_timeout: 5,
    // a dropped version gives its disk back soon, and not after eight minutes
    database_atomic_delay_before_drop_table_sec: 5,
    max_server_memory_usage: engineMemory(config),
    // A torn part in a build that was never published, or in the lock of builds, must not keep the engine from
    // starting: it is detached, and damage.ts finds what it takes from what is served.
    merge_tree: { max_suspicious_broken_parts: 1_000_000_000, max_suspicious_broken_parts_bytes: 2 ** 50 },
  })
}

/**
 * The users of the embedded engine. `CREATE USER` is refused there, so what `sql/roles.sql` does on a server is
 * done in XML. The reader can select from version databases and nothing else. The loader has no source grants
 * (`FILE`, `URL`, `S3`, …): what it loads comes through its connection. `default` runs the start-up query, whose
 * session takes the only one that its profile allows: over the network it is refused.
 * @param remote whether both may read and write tables of other servers, as in a cluster
 */
export function usersXml(config: Config, secrets: Secrets, remote = false): string {
  const ofOthers = (access: string) =>
    remote ? [`GRANT ${access} ON REMOTE`, 'GRANT CREATE TEMPORARY TABLE ON *.*'] : []
  const versions = `${config.clickhouseDatabase}_v_*`
  return document({
    profiles: {
      // the base of all profiles: what counts before the user is known, as for long parameter lists, and for the
      // connection whoever comes over it, as its patience with a reader that pauses
      default: {
        http_max_field_value_size: 16 * MIB,
        http_max_uri_size: 16 * MIB,
        http_send_timeout: config.streamSeconds,
      },
      bootstrap: { max_sessions_for_user: 1 },
      reader: profileElements(readerProfile(config, remote)),
      loader: profileElements(loaderProfile()),
    },
    users: {
      default: {
        password: '',
        profile: 'bootstrap',
        quota: 'default',
        networks: { ip: '127.0.0.1' },
        grants: {
          query: ['GRANT SYSTEM LISTEN ON *.*', 'GRANT READ ON FILE', 'GRANT CREATE TEMPORARY TABLE ON *.*'],
        },
      },
      reader: {
        password_sha256_hex: sha256(secrets.reader),
        profile: 'reader',
        quota: 'default',
        networks: { ip: '127.0.0.1' },
        grants: {
          query: [`GRANT SELECT ON ${versions}.*`, `GRANT dictGet ON ${versions}.*`, ...ofOthers('READ')],
        },
      },
      loader: {
        password_sha256_hex: sha256(secrets.loader),
        profile: 'loader',
        quota: 'default',
        networks: { ip: '127.0.0.1' },
        grants: { query: [...LOADER_GRANTS, ...ofOthers('READ, WRITE')] },
      },
    },
    quotas: { default: '' },
  })
}

const LOADER_GRANTS = [
  'GRANT SELECT, INSERT, ALTER, CREATE, DROP, TRUNCATE, OPTIMIZE, CHECK, SHOW, KILL QUERY, SYSTEM, INTROSPECTION, ' +
    'dictGet ON *.*',
  'GRANT TABLE ENGINE ON *',
  // to and from BACKUP_DIR alone, which the configuration names
  'GRANT BACKUP ON *.*',
]

function profileElements(profile: Profile): Element {
  const constraints = Object.entries(profile.constraints).map(([name, rule]) => [
    name,
    rule === 'fixed' ? { const: '' } : { min: rule.min, max: rule.max },
  ])
  return { ...profile.settings, constraints: Object.fromEntries(constraints) }
}

/** Names and contents of elements; several of a name are a list. */
export type Element = { [name: string]: string | number | (string | Element)[] | Element }

function document(elements: Element): string {
  return `<clickhouse>\n${write(elements, '  ')}</clickhouse>\n`
}

function write(elements: Element, indent: string): string {
  let xml = ''
  for (const [name, value] of Object.entries(elements)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      xml +=
        typeof one === 'object'
          ? `${indent}<${name}>\n${write(one, `${indent}  `)}${indent}</${name}>\n`
          : `${indent}<${name}>${escapeXml(String(one))}</${name}>\n`
    }
  }
  return xml
}

function escapeXml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
