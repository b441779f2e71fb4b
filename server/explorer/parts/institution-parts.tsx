/** What the pages of one institution have in common. */
import { useEffect } from 'preact/hooks'
import { addressOf } from '../lib/institutions.ts'
import { type Kind, kinds } from '../lib/kinds.ts'
import { Note } from './asked.tsx'

const titles = {
  Overview: '',
  UBPR: '/ubpr',
  Record: '/record',
  Branches: '/branches',
  Structure: '/structure',
}
type Page = keyof typeof titles

const pages: Readonly<Record<Kind, readonly Page[]>> = {
  bank: ['Overview', 'UBPR', 'Record', 'Branches', 'Structure'],
  'holding-company': ['Overview', 'Structure'],
  'credit-union': ['Overview', 'Branches'],
}

/** The pages, as a row of links below its name. */
export function Parts({ kind, id, page }: { kind: Kind; id: string; page: Page }) {
  return (
    <nav class="parts" aria-label={`Of this ${kinds[kind].noun}`}>
      {pages[kind].map((title) => (
        <a
          key={title}
          href={`${addressOf({ kind, id: Number(id) })}${titles[title]}`}
          aria-current={title === page ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

/** Where the number is nobody's. */
export function Nobody({ kind, id }: { kind: Kind; id: string }) {
  return (
    <Note title={`No ${kinds[kind].noun} has the number ${id}`}>
      <p>
        {kind === 'bank' && 'RSSD IDs are numbers of the Federal Reserve. '}Search for it by its name, at the
        top.
      </p>
    </Note>
  )
}

/** The title of the window, once it is known. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · US banking history`
  }, [title])
}
