import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { download } from '../lib/download.ts'
import {
  discoverObservations,
  firstLine,
  headerFields,
  type ObservationsEdition,
  type ObservationsFile,
} from '../lib/observations/file.ts'
import { loadObservations } from '../lib/observations/load.ts'
import type { Progress } from '../lib/progress.ts'
import { type LoadContext, type Loaded, source } from '../lib/source.ts'
import { isLongTable, readCsv } from './csv.ts'
import { readWorkbook } from './workbook.ts'

const ARCHIVE = '/resources/bankers/national-rates/documents/archive-revised-rule.xlsx'

/** A workbook is a zip: it begins with `PK`. */
const isWorkbook = ({ bytes }: ObservationsFile): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK'

const recognise = (file: ObservationsFile): null | 'other' =>
  isWorkbook(file) || isLongTable(headerFields(firstLine(file.text))) ? null : 'other'

async function loadNationalRates(edition: ObservationsEdition, context: LoadContext): Promise<Loaded> {
  const { file } = edition
  const { series, lines, strange } = isWorkbook(file)
    ? readWorkbook(file.name, file.bytes)
    : readCsv(file.name, file.text)
  const columns = series.map((id, index) => ({ position: index + 2, series: id, heading: id }))
  const rejects = strange.map((what) => ({
    member: '',
    line: 1,
    reason: `the ${what} is new: it was not read`,
    text: what,
  }))
  const table = { columns, widths: [series.length + 1], whole: 'decimals' } as const
  return loadObservations(edition, { table, span: 'history', lines, rejects }, context)
}

async function downloadArchive(folder: string, progress: Progress): Promise<string[]> {
  const path = join(folder, 'archive-revised-rule.xlsx')
  await download(`${readConfig(process.env).fdicUrl}${ARCHIVE}`, path, { progress })
  return [path]
}

export default source({
  key: 'fdic-national-rates',
  name: 'FDIC national rates and rate caps',
  publisher: 'Federal Deposit Insurance Corporation',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.fdic.gov/national-rates-and-rate-caps',
  what: 'National deposit rates, Treasury yields and rate caps by product, each month since April 2021.',
  discover: (paths) => discoverObservations(paths, /\.(csv|xlsx)$/i, recognise),
  download: downloadArchive,
  load: loadNationalRates,
})
