// XBRL facts as the SEC publishes them, of what a test says.
import { zipOf } from '../loaders/helpers.ts'

type Row = Readonly<Record<string, string | number | null>>

const subHeader =
  'adsh cik name sic countryba stprba cityba form period fye fy fp filed accepted prevrpt detail instance nciks aciks'
const numHeader = 'adsh tag version ddate qtrs uom segments coreg value footnote'

const table = (header: string, rows: readonly Row[]) => {
  const names = header.split(' ')
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
    .map((fields) => `${fields.join('\t')}\n`)
    .join('')
}

/** A quarter of the Financial Statement Data Sets: the filings, and the figures in them. */
export const statements = (filings: readonly Row[], figures: readonly Row[]): Buffer =>
  zipOf(
    Object.entries({
      'readme.htm': '<html></html>',
      'sub.txt': table(subHeader, filings),
      'tag.txt': 'tag\tversion\tcustom\tabstract\tdatatype\n',
      'num.txt': table(numHeader, figures),
      'pre.txt': 'adsh\treport\tline\tstmt\tinpth\n',
    }).map(([name, text]) => [name, Buffer.from(text)]),
  )

export interface Fact {
  start?: string
  end: string
  val: number
  accn: string
  fy?: number | null
  fp?: string | null
  form: string
  filed: string
  frame?: string
}

/** Company facts of a registrant: taxonomy, concept and unit to the facts. */
export const companyFacts = (
  cik: number,
  facts: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly Fact[]>>>>>>,
): string =>
  JSON.stringify({
    cik,
    entityName: `REGISTRANT ${cik}`,
    facts: Object.fromEntries(
      Object.entries(facts).map(([taxonomy, concepts]) => [
        taxonomy,
        Object.fromEntries(
          Object.entries(concepts).map(([concept, units]) => [
            concept,
            { label: concept, description: `What ${concept} is.`, units },
          ]),
        ),
      ]),
    ),
  })
