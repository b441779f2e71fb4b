/** What the statements of a load cost, one by one. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Engine } from '../../server/engine/engine.ts'

/** Of all statements that begin alike. */
export interface Cost {
  count: number
  ms: number
}

const METHODS = new Set(['command', 'query', 'insert', 'exec'])

/** The engine, with the time of each statement of its loader's clients added up by how the statement begins. */
export function traced(engine: Engine): { engine: Engine; costs: Map<string, Cost> } {
  const costs = new Map<string, Cost>()
  const add = (what: string, ms: number): void => {
    const cost = costs.get(what) ?? { count: 0, ms: 0 }
    costs.set(what, { count: cost.count + 1, ms: cost.ms + ms })
  }
  const client = (inner: ClickHouseClient): ClickHouseClient =>
    new Proxy(inner, {
      get(target, name) {
        const method = Reflect.get(target, name)
        if (typeof method !== 'function' || !METHODS.has(String(name))) return method
        return async (asked: { query?: string; table?: string }) => {
          const began = performance.now()
          try {
            return await method.call(target, asked)
          } finally {
            add(bare(asked.query ?? `insert ${asked.table}`), performance.now() - began)
          }
        }
      },
    })
  const loader: Engine['loader'] = (database) => client(engine.loader(database))
  return {
    costs,
    engine: new Proxy(engine, { get: (target, name) => (name === 'loader' ? loader : bound(target, name)) }),
  }
}

function bound(target: Engine, name: string | symbol): unknown {
  const value = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

/** Enough of a statement to know it by, without the names of databases. */
const bare = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/banking_v_\w+/g, 'v')
    .slice(0, 110)

/** The dearest, a line each. */
export const dearest = (costs: ReadonlyMap<string, Cost>, most = 25): string =>
  [...costs]
    .sort(([, a], [, b]) => b.ms - a.ms)
    .slice(0, most)
    .map(([what, { count, ms }]) => `${ms.toFixed(0).padStart(7)} ms ${String(count).padStart(4)} x ${what}`)
    .join('\n')
