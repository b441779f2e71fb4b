import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { SQL_FOLDER } from './migrate.ts'
import { splitStatements, withoutComments } from './statements.ts'

/** A statement of `sql/views/<category>/*.sql`. */
export interface View {
  name: string
  /** `banks/bank_history.sql` */
  file: string
  sql: string
}

/** A file of `sql/views` cannot be used; the message names it. */
export class ViewError extends Error {
  override name = 'ViewError'
  readonly code = 'VIEW'
}

const CREATE = /^CREATE\s+OR\s+REPLACE\s+VIEW\s+`?(\w+)`?[\s(]/i

/** All views, each after those that it reads. @throws ViewError */
export async function readViews(folder = SQL_FOLDER): Promise<View[]> {
  const root = join(folder, 'views')
  const files = (await readdir(root, { recursive: true }).catch(() => []))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
  const views = new Map<string, View>()
  for (const file of files) {
    for (const sql of splitStatements(await readFile(join(root, file), 'utf8'))) {
      const name = CREATE.exec(withoutComments(sql).trim())?.[1]
      if (!name) throw new ViewError(`sql/views/${file}: expected only CREATE OR REPLACE VIEW name AS …`)
      const twin = views.get(name)
      if (twin) throw new ViewError(`sql/views: both ${twin.file} and ${file} make the view ${name}`)
      views.set(name, { name, file, sql })
    }
  }
  return inDependencyOrder(views)
}

/** Makes the views in the client's database, which unqualified names resolve in. Doing it again changes nothing. */
export async function applyViews(client: ClickHouseClient, views: View[]): Promise<void> {
  for (const { file, sql } of views) {
    try {
      await client.command({ query: sql })
    } catch (cause) {
      throw new ViewError(`sql/views/${file}: ${(cause as Error).message}`, { cause })
    }
  }
}

/** A view that mentions another's name comes after it: one mention too many costs nothing. */
function inDependencyOrder(views: Map<string, View>): View[] {
  const ordered: View[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (view: View, path: string[]) => {
    if (state.get(view.name) === 'done') return
    if (state.get(view.name) === 'open') {
      throw new ViewError(`sql/views: ${[...path, view.name].join(' → ')} read each other`)
    }
    state.set(view.name, 'open')
    const words = new Set(readsFrom(view).match(/\w+/g))
    for (const word of words) {
      const other = views.get(word)
      if (other && other !== view) visit(other, [...path, view.name])
    }
    state.set(view.name, 'done')
    ordered.push(view)
  }
  for (const view of views.values()) visit(view, [])
  return ordered
}

/** What follows FROM, JOIN and IN, so that a column or a CTE that shares a view's name is no dependency. */
function readsFrom(view: View): string {
  const sql = withoutComments(view.sql).replace(/'(?:[^'\\]|\\[\s\S])*(?:'|\\?$)/g, "''")
  return [...sql.matchAll(/\b(?:FROM|JOIN|IN)\s+`?(\w+)`?/gi)].map((match) => match[1]).join(' ')
}
