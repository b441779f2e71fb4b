import type { ClickHouseClient } from '@clickhouse/client'
import { assembleLoaded } from '../universes/bank/ubpr/read.ts'
import { code, day, flag, orBlank, type SourceColumn, stamped, whole, words } from './columns.ts'
import { hook, source } from './declare.ts'

const isoDate = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const version = '(?i)\\\\bv[0-9]+\\\\b'
const named = (pattern: string) => `extract({file}, '${pattern}')`

/** The text as the guide has it, '' where it has none. */
const cell = (heading: string, doc?: string) => orBlank(words(heading, doc === undefined ? {} : { doc }))
const repeated = (column: SourceColumn): SourceColumn => ({ ...column, repeated: true })

/** How many of the concepts compile now, and each that does not. */
async function compileNotes(client: ClickHouseClient): Promise<string[]> {
  const { published, refused } = await assembleLoaded(client)
  const failed = refused.filter(({ kind }) => kind !== 'no-formula')
  const without = refused.length - failed.length
  const all = published + failed.length
  const share = ((100 * published) / all).toFixed(2)
  return [
    `${published} of ${all} concepts with a formula compile (${share} %); ${without} have none`,
    ...failed.map(({ code, label, reason }) => `${code} (${label}) is not computed: ${reason}`),
  ]
}

export default source({
  key: 'ubpr-formulas',
  name: "UBPR User's Guide: concepts and formulas",
  publisher: 'Federal Financial Institutions Examination Council',
  licence: 'Public domain (work of the United States government)',
  address: 'https://cdr.ffiec.gov/Public/DownloadUBPRUserGuide.aspx',
  what: 'Every concept of the Uniform Bank Performance Report with its formula, and the pages that show it.',
  howToGet:
    'The guide is published as PDF: load it as a table (docs/loading.md), or name the address of one as SOURCE_URL_UBPR_FORMULAS.',
  fetch: {
    base: 'https://cdr.ffiec.gov/Public/DownloadUBPRUserGuide.aspx',
    needs: ['SOURCE_URL_UBPR_FORMULAS'],
    addresses: ({ base }) => [
      { name: decodeURIComponent(new URL(base).pathname.split('/').pop() || 'ubpr-guide'), path: '' },
    ],
  },
  // the two tables of one date
  together: (name) => /\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? /\bv\d+\b/i.exec(name)?.[0] ?? name,
  notes: compileNotes,
  tables: {
    ubpr_guide: {
      doc: 'A concept on a page, as an edition of the guide has it.',
      columns: {
        edition_date: stamped(
          'Date',
          `if(match({file}, '${isoDate}'), ${day('').read(named(isoDate))},
            toDate32OrNull(max(arrayMax(arrayConcat([''], extractAll(formula, '\\'(${isoDate})\\''))))))`,
          { doc: 'a day in the name of the file, else the newest that its formulas speak of' },
        ),
        edition: repeated(
          stamped(
            'String',
            `multiIf(match({file}, '${isoDate}'), ${named(isoDate)}, match({file}, '${version}'), ${named(version)},
              replaceRegexpOne({file}, '[.][A-Za-z0-9_]+$', ''))`,
            { doc: '“2017-06-22”, “v129”' },
          ),
        ),
        part: code('part', { doc: 'pages, references or dictionary' }),
        line: whole('line'),
        page: repeated(cell('page', '“Summary Ratios”')),
        page_number: repeated(cell('page_number', '“1”, “7B”')),
        referenced: flag('referenced', {
          doc: "A concept that the page's formulas refer to, rather than one that it shows.",
        }),
        item_number: cell('item_number', '“4.2” on the page; blank for referenced concepts'),
        title: cell('title', 'Of the line on the page; blank for referenced concepts.'),
        code: { ...orBlank(code('code', { doc: 'A concept, or an item that a page shows as it is.' })) },
        description: cell('description'),
        narrative: cell('narrative'),
        formula: cell('formula', 'Blank where the guide gives none.'),
      },
      // concepts, and items that a page shows; the peer group's own number, UBPAE877, too
      checks: {
        "match(code, '^(UBP[A-Z]|R[A-Z]{3})[A-Z0-9]{4}$')": `concat('"', code, '" is no code of a concept')`,
      },
      unique: ['edition_date', 'part', 'line', 'item_number', 'code'],
      order: ['part', 'line', 'item_number'],
      partition: 'edition_date',
      edition: { replaces: 'partition', shrink: 0 },
      time: { kind: 'day', column: 'edition_date' },
      form: hook('ubpr-guide', {
        begins(text) {
          if (/^(?:\u00ef\u00bb\u00bf)?\s*\[\s*\{/.test(text)) return /"mdrm"\s*:/.test(text)
          const header = /^[^\r\n]*/.exec(text)![0]
          return /\bformula\b/i.test(header) && /\b(?:concept name|referenced concept)\b/i.test(header)
        },
        expected:
          'a table of the UBPR User\'s Guide (CSV with the columns "CONCEPT NAME" or "REFERENCED CONCEPT", and "FORMULA"), or a data dictionary (JSON array of objects with "mdrm" and "formula")',
      }),
    },
  },
})
