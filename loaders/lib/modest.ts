import type { ClickHouseClient } from '@clickhouse/client'

const STATEMENTS = new Set<PropertyKey>(['query', 'command', 'insert', 'exec'])

/**
 * The same client, no statement of which may take more memory than this: one that is made to by a file ends by itself,
 * and the engine has room left for the readers meanwhile.
 */
export function modest(client: ClickHouseClient, bytes: number): ClickHouseClient {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (!STATEMENTS.has(name)) return member.bind(target)
      return (statement: { clickhouse_settings?: object }) =>
        member.call(target, {
          ...statement,
          clickhouse_settings: { max_memory_usage: String(bytes), ...statement.clickhouse_settings },
        })
    },
  })
}
