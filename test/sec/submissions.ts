/** A registrant's submissions as EDGAR writes them: what a test says, and else what is usual. */
export const submissions = (said: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    ...{
      cik: '0000000001',
      entityType: 'operating',
      sic: '6021',
      sicDescription: 'National Commercial Banks',
    },
    ...{ ownerOrg: '02 Finance', insiderTransactionForOwnerExists: 0, insiderTransactionForIssuerExists: 1 },
    ...{ name: 'A BANCORP', tickers: ['JPM', 'JPM-PC'], exchanges: ['NYSE', null], ein: null, lei: null },
    ...{ description: '', website: '', investorWebsite: '', category: 'Large accelerated filer' },
    ...{ fiscalYearEnd: '1231', stateOfIncorporation: 'DE', stateOfIncorporationDescription: 'DE' },
    addresses: {
      mailing: { city: 'ELSEWHERE' },
      business: { street1: '1 MAIN ST', city: 'NEW YORK', stateOrCountry: 'NY' },
    },
    ...{ phone: '2122706000', flags: '', formerNames: [] },
    filings: { recent: {}, files: [] },
    ...said,
  })
