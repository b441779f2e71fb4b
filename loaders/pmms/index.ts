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
import { type LoadContext, type Loaded, type Reject, source } from '../lib/source.ts'
import { pmmsColumns } from './columns.ts'

/** Rows since the survey of 2022-11-17 stop after the 15-year rate; they keep the columns of the header. */
const SHORT_ROW = 4

const headings = ({ text }: ObservationsFile): string[] =>
  headerFields(firstLine(text)).map((heading) => heading.toLowerCase())

function recognise(file: ObservationsFile): null | 'other' {
  const [date, first] = headings(file)
  return date === 'date' && first === 'pmms30' ? null : 'other'
}

function loadPmms(edition: ObservationsEdition, context: LoadContext): Promise<Loaded> {
  const [, ...names] = headings(edition.file)
  const columns = names.flatMap((heading, index) => {
    const series = pmmsColumns.get(heading)
    return series === undefined ? [] : [{ position: index + 2, series, heading }]
  })
  const rejects: Reject[] = names
    .filter((heading) => !pmmsColumns.has(heading))
    .map((heading) => ({
      member: '',
      line: 1,
      reason: `the column “${heading}” is new: no series is known for it; the other columns were read`,
      text: heading,
    }))
  const widths = [...new Set([names.length + 1, Math.min(SHORT_ROW, names.length + 1)])]
  return loadObservations(
    edition,
    { table: { columns, widths, whole: 'line-end' }, span: 'history', rejects },
    context,
  )
}

async function downloadPmms(folder: string, progress: Progress): Promise<string[]> {
  const path = join(folder, 'PMMS_history.csv')
  await download(`${readConfig(process.env).pmmsUrl}/pmms/docs/PMMS_history.csv`, path, { progress })
  return [path]
}

export default source({
  key: 'pmms',
  name: 'Primary Mortgage Market Survey',
  publisher: 'Freddie Mac',
  licence: 'Copyrighted by Freddie Mac; its terms let you use it with credit, not hand it on as a data set',
  address: 'https://www.freddiemac.com/pmms',
  what: 'National averages of 30-year and 15-year fixed mortgage rates each week since 1971 and 1991.',
  discover: (paths) => discoverObservations(paths, /\.csv$/i, recognise),
  download: downloadPmms,
  load: loadPmms,
})
