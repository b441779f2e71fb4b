import { discoverObservations } from '../lib/observations/file.ts'
import { source } from '../lib/source.ts'
import { downloadTreasury } from './download.ts'
import { loadTreasury, recognise } from './load.ts'

export default source({
  key: 'treasury',
  name: 'Treasury daily interest rates',
  publisher: 'U.S. Department of the Treasury, Office of Debt Management',
  licence: 'Public domain (work of the United States government)',
  address: 'https://home.treasury.gov/policy-issues/financing-the-government/interest-rate-statistics',
  what: 'Par yield curve since 1990, par real yields since 2003 and bill rates since 2002, each business day.',
  discover: (paths) => discoverObservations(paths, /\.(csv|xml)$/i, recognise),
  download: downloadTreasury,
  load: loadTreasury,
})
