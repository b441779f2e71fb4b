import { existsSync, readFileSync } from 'node:fs'
import { parse as parseCsv } from 'csv-parse/sync'
import { type Formula, guideFormulas, parse } from '../../sql/formula/index.ts'

// The UBPR User's Guide in two editions: 2017 (page tables and referenced concepts) and its data dictionary v129.
const folder = new URL('../../../shared/data/ubpr/', import.meta.url)
const edition2017 = 'UBPR_Complete_User_Guide_2017-06-22.csv'
const referenced2017 = 'UBPR_Complete_User_Guide_2017-06-22_reference.csv'
const dictionary = 'ubpr-data-dict-v129.json'

const csv = (name: string) =>
  parseCsv(readFileSync(new URL(name, folder), 'utf8'), {
    columns: true,
    bom: true,
    relax_column_count: true,
  }) as Record<string, string>[]

/** The formulas of each file. */
export function publishedFormulas(): Record<string, Formula[]> {
  return {
    [edition2017]: csv(edition2017).flatMap((r) => guideFormulas(r['CONCEPT NAME'] ?? '', r.FORMULA ?? '')),
    [referenced2017]: csv(referenced2017).flatMap((r) =>
      guideFormulas(r['REFERENCED CONCEPT'] ?? '', r.FORMULA ?? ''),
    ),
    [dictionary]: (
      JSON.parse(readFileSync(new URL(dictionary, folder), 'utf8')) as { mdrm: string; formula?: string }[]
    ).flatMap((r) => guideFormulas(r.mdrm, r.formula ?? '')),
  }
}

/** Why the guide cannot be read here, or false. */
export const noGuide = existsSync(folder) ? false : 'no ../shared/data/ubpr beside the project'

/** The concepts of the dictionary of 2019 that parse, and the two that the guide describes in words. */
export function concepts(): Formula[] {
  const sources = new Map<string, string>()
  for (const { key, source } of publishedFormulas()[dictionary]!) {
    try {
      parse(source)
      if (!sources.has(key)) sources.set(key, source)
    } catch {}
  }
  // The form, of which the guide knows two (an 051 is a 041 to it), and the report date.
  sources.set('uc:UBPRC752', 'IF(Context.Form = 31, 31, 41)')
  sources.set('uc:UBPR9999', 'Context.Period.EndDate')
  return [...sources].map(([key, source]) => ({ key, source }))
}
