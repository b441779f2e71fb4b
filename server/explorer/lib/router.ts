/** Where the reader is: the path and the query of the address, which alone restore a view. */
import { useEffect, useState } from 'preact/hooks'
import type { Kind } from './kinds.ts'

export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

/** What a page is given. */
export interface PageProps {
  /** What stands in the path, as the number of an institution, or of several kinds that one is meant. */
  readonly id: string
  readonly kind: Kind
  readonly query: URLSearchParams
}

const listeners = new Set<() => void>()
const tell = (): void => {
  for (const listener of listeners) listener()
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) })

/** @param options.replace what the reader changes on one page (a filter, an order) adds nothing to the history */
export function go(address: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', address)
  else {
    history.pushState(null, '', address)
    scrollTo(0, 0)
    // who reads by ear, or goes by keys, begins where the new page does
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  tell()
}

/** The same page with other values in its query; null takes one out. */
export function adjust(values: Readonly<Record<string, string | null>>): void {
  const { path, query } = here()
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  // commas are what the reader reads and may write
  const text = query.toString().replaceAll('%2C', ',')
  go(text === '' ? path : `${path}?${text}`, { replace: true })
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const listener = (): void => setPlace(here())
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
  return place
}

/** Links between pages of the explorer change the page in place. */
export function followLinks(isPage: (path: string) => boolean): void {
  addEventListener('popstate', tell)
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const { origin, pathname, search, hash } = new URL(link.href)
    if (origin !== location.origin || hash !== '' || !isPage(pathname)) return
    event.preventDefault()
    go(pathname + search)
  })
}
