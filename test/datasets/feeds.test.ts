// Feeds are read backwards along the order of their tables: then a page costs what it has, wherever in the history it begins.
import t from 'tap'
import type { CatalogKey } from '../../server/catalog/catalog.ts'
import { datasets } from '../../server/catalog/registry.ts'
import { orderOf } from '../../server/query/order.ts'
import { universe } from '../helpers/universe.ts'

const { engine, published } = await universe()

const feeds: readonly [CatalogKey, table: string][] = [
  ['sec-filing-feed', 'sec_filing_feed'],
  ['sec-event-feed', 'sec_event_feed'],
  ['sec-insider-feed', 'insider_feed'],
  ['structural-events', 'structural_events'],
]

for (const [key, table] of feeds)
  t.test(key, async (t) => {
    const [held] = await engine.rows<{ sorting: string }>({
      sql: 'SELECT sorting_key AS sorting FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
      database: published.publication.database,
      params: { table },
    })
    const sorting = held!.sorting.split(', ')
    const order = orderOf(datasets().get(key)!, undefined).slice(0, sorting.length)
    t.strictSame(
      order,
      sorting.map((column) => ({ column, descending: true })),
    )
  })
