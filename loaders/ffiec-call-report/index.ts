import { source } from '../lib/source.ts'
import { discoverEditions } from './editions.ts'
import { loadQuarter } from './load.ts'

export default source({
  key: 'ffiec-call-report',
  name: 'FFIEC Call Reports',
  publisher: 'Federal Financial Institutions Examination Council, Central Data Repository',
  licence: 'Public domain (work of the United States government)',
  address: 'https://cdr.ffiec.gov/public/PWS/DownloadBulkData.aspx',
  what: 'Every item of every schedule that every bank files each quarter (forms FFIEC 031, 041, 051).',
  howToGet: `Download "Call Reports – Single Period" (tab delimited), a zip a quarter, from
https://cdr.ffiec.gov/public/PWS/DownloadBulkData.aspx (a form, which no script can fetch simply),
then: npm run load -- ffiec-call-report FOLDER`,
  atOnce: 2,
  discover: discoverEditions,
  load: loadQuarter,
})
