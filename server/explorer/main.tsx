/** The explorer: which page an address means. */
import type { ComponentType } from 'preact'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Kind } from './lib/kinds.ts'
import { followLinks, type PageProps, usePlace } from './lib/router.ts'
import { Note } from './parts/asked.tsx'
import { Frame } from './parts/frame.tsx'

interface Route {
  readonly path: RegExp
  readonly title: string
  readonly load: () => Promise<ComponentType<PageProps>>
}

const routes: readonly Route[] = [
  { path: /^\/$/, title: 'US banking history', load: async () => (await import('./pages/home.tsx')).Home },
  {
    path: /^\/screen(?:\/(?<id>credit-unions|holding-companies))?$/,
    title: 'Screen',
    load: async () => (await import('./pages/screen.tsx')).Screen,
  },
  {
    path: /^\/(?<kind>bank)\/(?<id>\d+)$/,
    title: 'Bank',
    load: async () => (await import('./pages/bank.tsx')).Bank,
  },
  {
    path: /^\/(?<kind>bank)\/(?<id>\d+)\/ubpr$/,
    title: 'UBPR',
    load: async () => (await import('./pages/ubpr.tsx')).Ubpr,
  },
  {
    path: /^\/(?<kind>bank)\/(?<id>\d+)\/record$/,
    title: 'Record',
    load: async () => (await import('./pages/record.tsx')).Record,
  },
  {
    path: /^\/(?<kind>bank)\/(?<id>\d+)\/branches$/,
    title: 'Branches',
    load: async () => (await import('./pages/branches.tsx')).Branches,
  },
  {
    path: /^\/(?<kind>bank|holding-company)\/(?<id>\d+)\/structure$/,
    title: 'Structure',
    load: async () => (await import('./pages/structure.tsx')).Structure,
  },
  {
    path: /^\/(?<kind>credit-union)\/(?<id>\d+)$/,
    title: 'Credit union',
    load: async () => (await import('./pages/credit-union.tsx')).CreditUnion,
  },
  {
    path: /^\/(?<kind>credit-union)\/(?<id>\d+)\/branches$/,
    title: 'Branches',
    load: async () => (await import('./pages/places.tsx')).Places,
  },
  {
    path: /^\/(?<kind>holding-company)\/(?<id>\d+)$/,
    title: 'Holding company',
    load: async () => (await import('./pages/holding-company.tsx')).HoldingCompany,
  },
  {
    path: /^\/failures$/,
    title: 'Failures',
    load: async () => (await import('./pages/failures.tsx')).Failures,
  },
  { path: /^\/rates$/, title: 'Rates', load: async () => (await import('./pages/rates.tsx')).Rates },
  {
    path: /^\/industry$/,
    title: 'Industry',
    load: async () => (await import('./pages/industry.tsx')).Industry,
  },
  { path: /^\/compare$/, title: 'Compare', load: async () => (await import('./pages/compare.tsx')).Compare },
  { path: /^\/sources$/, title: 'Sources', load: async () => (await import('./pages/sources.tsx')).Sources },
]

const trimmed = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
const routeOf = (path: string): Route | undefined => routes.find((route) => route.path.test(trimmed(path)))

function Explorer() {
  const { path, query } = usePlace()
  const route = routeOf(path)
  const [page, setPage] = useState<{ route: Route; Page: ComponentType<PageProps> | null } | null>(null)
  useEffect(() => {
    if (!route) return
    document.title =
      route.title === 'US banking history' ? route.title : `${route.title} · US banking history`
    let over = false
    route.load().then(
      (Page) => over || setPage({ route, Page }),
      () => over || setPage({ route, Page: null }),
    )
    return () => {
      over = true
    }
  }, [route])
  const { id = '', kind = 'bank' } = (route && trimmed(path).match(route.path)?.groups) ?? {}
  return (
    <Frame path={trimmed(path)}>
      {!route ? (
        <Note page title="There is no such page">
          <p>
            Search for an institution above, or begin <a href="/">at the start</a>.
          </p>
        </Note>
      ) : page?.route !== route ? null : page.Page ? (
        <page.Page key={trimmed(path)} id={id} kind={kind as Kind} query={query} />
      ) : (
        <Note page title="This page cannot be read">
          <p>The server does not answer, or has another version by now: reload the page.</p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </Note>
      )}
    </Frame>
  )
}

followLinks((path) => routeOf(path) !== undefined)
render(<Explorer />, document.getElementById('app')!)
