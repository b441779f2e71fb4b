/** EDGAR's company facts: documents `CIK##########.json` of all that a registrant filed in XBRL. */
import { batchesOf } from '../declared/document-batch.ts'
import type { DocumentReader } from '../declared/document-reader.ts'
import { listOf, objectOf, scalarOf } from '../lib/json-values.ts'

/** What a fact says of itself, after whose it is, its concept and its unit. */
const own = ['start', 'end', 'val', 'accn', 'fy', 'fp', 'form', 'filed']

const facts: DocumentReader = {
  expected: 'a registrant’s company facts',
  header: ['cik', 'taxonomy', 'concept', 'unit', ...own],
  *records(document) {
    const { cik, facts } = objectOf(document)
    if (cik === undefined) throw new Error('there is no “cik”')
    const whose = scalarOf(cik)
    // taxonomy, concept and unit lead to lists of facts
    for (const [taxonomy, concepts] of Object.entries(objectOf(facts)))
      for (const [concept, told] of Object.entries(objectOf(concepts)))
        for (const [unit, list] of Object.entries(objectOf(objectOf(told).units)))
          for (const fact of listOf(list))
            yield [whose, taxonomy, concept, unit, ...own.map((key) => scalarOf(objectOf(fact)[key]))]
  },
}

export const { headerOf, readBatch } = batchesOf({ facts })
