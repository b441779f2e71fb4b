import { source } from '../lib/source.ts'
import { discoverDictionary, loadDictionary } from './load.ts'

export default source({
  key: 'mdrm',
  name: 'Micro Data Reference Manual',
  publisher: 'Board of Governors of the Federal Reserve System',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.federalreserve.gov/apps/mdrm/download_mdrm.htm',
  what: 'Name, definition, validity and reporting forms of every item that the supervisors collect.',
  howToGet: `Download MDRM.zip from https://www.federalreserve.gov/apps/mdrm/download_mdrm.htm, unpack it, then:
npm run load -- mdrm MDRM_CSV.csv`,
  discover: discoverDictionary,
  load: loadDictionary,
})
