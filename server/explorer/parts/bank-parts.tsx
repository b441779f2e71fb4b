/** What the pages of one bank have in common. */
import { useEffect } from 'preact/hooks'
import { Note } from './asked.tsx'

const pages = [
  ['', 'Overview'],
  ['/ubpr', 'UBPR'],
  ['/record', 'Record'],
  ['/branches', 'Branches'],
  ['/structure', 'Structure'],
] as const

/** The pages, as a row of links below the bank's name. */
export function BankParts({ id, page }: { id: string; page: (typeof pages)[number][1] }) {
  return (
    <nav class="parts" aria-label="Of this bank">
      {pages.map(([path, title]) => (
        <a key={title} href={`/bank/${id}${path}`} aria-current={title === page ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}

/** Where the number is nobody's. */
export function NoBank({ id }: { id: string }) {
  return (
    <Note title={`No bank has the number ${id}`}>
      <p>RSSD IDs are numbers of the Federal Reserve. Search for the bank by its name, at the top.</p>
    </Note>
  )
}

/** The title of the window, once it is known. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · US banking history`
  }, [title])
}
