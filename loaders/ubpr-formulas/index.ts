import { source } from '../lib/source.ts'
import { discoverGuide, downloadGuide, loadGuide } from './load.ts'

export default source({
  key: 'ubpr-formulas',
  name: "UBPR User's Guide: concepts and formulas",
  publisher: 'Federal Financial Institutions Examination Council',
  licence: 'Public domain (work of the United States government)',
  address: 'https://cdr.ffiec.gov/Public/DownloadUBPRUserGuide.aspx',
  what: 'Every concept of the Uniform Bank Performance Report with its formula, and the pages that show it.',
  discover: discoverGuide,
  download: downloadGuide,
  load: loadGuide,
})
