import { source } from '../lib/source.ts'
import { downloadInstitutions } from './download.ts'
import { discoverInstitutions } from './files.ts'
import { loadInstitutions } from './load.ts'

export default source({
  key: 'fdic-institutions',
  name: 'FDIC institutions',
  publisher: 'Federal Deposit Insurance Corporation, BankFind Suite',
  licence: 'Public domain (work of the United States government)',
  address: 'https://api.fdic.gov/banks/institutions',
  what: 'Charter class, primary regulator, holding company, dates, address, CBSA and web address of every insured institution, by quarter.',
  discover: discoverInstitutions,
  download: downloadInstitutions,
  load: loadInstitutions,
})
