/** What stands on every page: where one may go, the search, the key, and that the data are invented where they are. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { apiKey, holdKey, synthetic } from '../lib/api.ts'
import { Queries } from './queries.tsx'
import { Search } from './search.tsx'

const pages = [
  ['/screen', 'Screen'],
  ['/industry', 'Industry'],
  ['/rates', 'Rates'],
  ['/failures', 'Failures'],
  ['/compare', 'Compare'],
  ['/sources', 'Sources'],
] as const

export function Frame({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header>
        <div class="bar">
          <a class="home" href="/">
            US banking history
          </a>
          <nav aria-label="Pages">
            {pages.map(([to, name]) => (
              <a
                key={to}
                href={to}
                aria-current={path === to ? 'page' : path.startsWith(`${to}/`) ? 'true' : undefined}
              >
                {name}
              </a>
            ))}
            <a href="/docs">API</a>
          </nav>
          {path !== '/' && <Search />}
          <Key />
        </div>
        <Demo />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
        <Queries />
      </main>
      <footer>
        <p>
          Call Reports, UBPR, FDIC, NIC, NCUA, SEC and Federal Reserve files, as this server holds them.
          Amounts are US dollars. <a href="/docs/catalog">Datasets</a> · <a href="/docs/access">Access</a> ·{' '}
          <a href="/llms.txt">For language models</a>
        </p>
      </footer>
    </>
  )
}

function Demo() {
  if (!synthetic.use()) return null
  return (
    <p class="demo" role="note">
      <strong>Synthetic data.</strong> Every institution and figure here is invented, until real data is
      loaded.
    </p>
  )
}

function Key() {
  const held = apiKey.use() !== ''
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    if (open) field.current?.focus()
  }, [open])
  const close = (): void => {
    setOpen(false)
    setText('')
    button.current?.focus()
  }
  return (
    <div class="key">
      <button type="button" class="quiet" ref={button} aria-expanded={open} onClick={() => setOpen(!open)}>
        Key{held ? ' ✓' : ''}
      </button>
      {open && (
        <form
          class="pop"
          aria-label="API key"
          onKeyDown={(event) => event.key === 'Escape' && close()}
          onSubmit={(event) => {
            event.preventDefault()
            holdKey(text.trim())
            close()
          }}
        >
          <label for={id}>API key</label>
          <input
            id={id}
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="bds_…"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <p class="mild">Public data needs none. A key stays in this tab, and goes with it.</p>
          <p class="buttons">
            <button type="submit" disabled={text.trim() === ''}>
              Use it
            </button>
            {held && (
              <button
                type="button"
                onClick={() => {
                  holdKey('')
                  close()
                }}
              >
                Take it away
              </button>
            )}
          </p>
        </form>
      )}
    </div>
  )
}
