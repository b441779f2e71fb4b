import { discoverObservations } from '../lib/observations/file.ts'
import { source } from '../lib/source.ts'
import { downloadFred } from './download.ts'
import { loadFred, recognise } from './load.ts'

export default source({
  key: 'fred',
  name: 'FRED series',
  publisher: 'Federal Reserve Bank of St. Louis, for the publisher of each series',
  licence: 'By series: public domain, with citation, or restricted (docs/rates.md lists each)',
  address: 'https://fred.stlouisfed.org/',
  what: 'Treasury yields since 1962, policy rates, spreads, breakeven inflation, deposit and consumer rates.',
  discover: (paths) => discoverObservations(paths, /\.csv$/i, recognise),
  download: downloadFred,
  load: loadFred,
})
