/** What the sources of the SEC's EDGAR have in common. */
import type { SourceDeclaration } from './declare.ts'
import type { FetchDeclaration } from './fetch.ts'

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
