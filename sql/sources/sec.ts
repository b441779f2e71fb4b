/** What the sources of the SEC's EDGAR have in common. */
import type { SourceDeclaration } from './declare.ts'
import type { Address, Asked, FetchDeclaration } from './fetch.ts'

/** Standard industrial classifications of banks, savings institutions, trust companies, federal lenders and bank holders. */
export const bankSics = {
  '6021': 'National commercial banks',
  '6022': 'State commercial banks',
  '6029': 'Commercial banks, not elsewhere classified',
  '6035': 'Savings institutions, federally chartered',
  '6036': 'Savings institutions, not federally chartered',
  '6099': 'Functions related to depository banking, not elsewhere classified',
  '6111': 'Federal and federally sponsored credit agencies',
  '6712': 'Offices of bank holding companies',
} as const

export const sec: Pick<SourceDeclaration, 'publisher' | 'licence'> = {
  publisher: 'U.S. Securities and Exchange Commission, EDGAR',
  licence: 'Public domain (work of the United States government)',
}

/** How EDGAR is asked: no request without a contact in the user agent, and at most 10 a second. */
export const edgar = (declaration: Omit<FetchDeclaration, 'needs' | 'perSecond'>): FetchDeclaration => ({
  ...declaration,
  needs: ['FETCH_CONTACT'],
  perSecond: 10,
})

/** Days after which an archive of everybody is fetched anew. */
const BULK_DAYS = 14
const DAY_MS = 86_400_000

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** EDGAR's index of what was filed on a day, ISO. There is none of days without work, and of today none yet. */
export function dayIndex(day: string): Address {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))]
  const name = `form.${day.replaceAll('-', '')}.idx`
  const path = `https://www.sec.gov/Archives/edgar/daily-index/${year}/QTR${Math.ceil(month / 3)}/${name}`
  return { name, path, mayLack: true }
}

/**
 * An archive of everybody, and until it is two weeks old the documents of those alone who have filed since: who did is told by
 * the indexes of the days, of which a document that was loaded after the day is not asked for again. The fetch declares as
 * `among` whose documents are wanted.
 * @param forms which filings make a document another one; all where left out
 */
export const bulkThenFiled =
  (archive: Address, documents: string, forms?: RegExp) =>
  (asked: Asked): Address[] => {
    const { today, among, had } = asked
    const whole = had(archive.name)?.slice(0, 10)
    if (whole === undefined || among.length === 0) return [archive]
    const days = Math.floor((Date.parse(today) - Date.parse(whole)) / DAY_MS)
    if (days >= BULK_DAYS) return [archive]
    const wanted = new Set(among.map(Number))
    const named = new Set<number>()
    // the newest first: of several days on which somebody filed the last one counts
    return Array.from({ length: days + 1 }, (_, back): Address => {
      const day = isoDay(Date.parse(today) - back * DAY_MS)
      return {
        ...dayIndex(day),
        aside: true,
        leadsTo: (text) =>
          filersIn(text, forms).flatMap((cik): Address[] => {
            if (!wanted.has(cik) || named.has(cik)) return []
            named.add(cik)
            const name = `CIK${String(cik).padStart(10, '0')}.json`
            const last = had(name)
            return last !== undefined && last.slice(0, 10) > day ? [] : [{ name, path: documents + name }]
          }),
      }
    })
  }

/** CIKs of the lines of a form index, whose columns its header shows. @throws where it is none */
function filersIn(text: string, forms: RegExp | undefined): number[] {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith('Form Type'))
  if (at < 0) throw new Error('there is no header with “Form Type”')
  const width = lines[at]!.indexOf('Company Name')
  return lines.slice(at + 1).flatMap((line) => {
    const cik = Number(line.trimEnd().split(' ').filter(Boolean).at(-3))
    return cik > 0 && (forms === undefined || forms.test(line.slice(0, width).trimEnd())) ? [cik] : []
  })
}
