import { createHash } from 'node:crypto'
import { checkEach, type Formula, FormulaError, mended, parse } from '../../../formula/index.ts'
import { unitsOf } from './units.ts'

/** A row of `ubpr_guide`: a concept on a page, as an edition of the guide has it. */
export interface GuideRow {
  edition_date: string
  edition: string
  part: string
  line: number
  page: string
  page_number: string
  referenced: boolean
  item_number: string
  title: string
  code: string
  description: string
  narrative: string
  formula: string
}

/**
 * Where a concept's formula is from. `guide`: as published; `mended`: a minus sign that the transcription lost is put
 * back; `item`: no concept but an item that a page shows as it is; `described`: the guide says it in words alone, and
 * the formula is ours; `taxonomy`: newer than the guide, and the formula is ours, over the inputs that the FFIEC's taxonomy names; `catalog`: a metric of the catalog stands for it, as no guide is loaded.
 */
export type Origin = 'guide' | 'mended' | 'item' | 'described' | 'taxonomy' | 'catalog'

export interface UbprConcept {
  code: string
  label: string
  narrative: string
  unit: string
  formula: string
  origin: Origin
  /** Edition that the formula is from. */
  edition: string
}

/** A concept that is not computed, and why. */
export interface Refused {
  code: string
  label: string
  edition: string
  formula: string
  /** Code of the FormulaError, or `no-formula`. */
  kind: string
  reason: string
}

/** A line of the report: one concept on one page. */
export interface PageLine {
  page: string
  page_number: string
  item_number: string
  title: string
  code: string
}

export interface Guide {
  /** Concepts with a numeric value, in the order of the report and then by code: index + 1 is the place in arrays. */
  concepts: UbprConcept[]
  /** Formulas of all that compiles, texts and dates too. */
  formulas: Formula[]
  /** How many of them are the guide's own. */
  published: number
  refused: Refused[]
  lines: PageLine[]
  /** Changes when anything that figures depend on does. */
  hash: string
}

/**
 * Concepts that the guide describes without a formula and on which others rest. The form (to the guide an 051 is a 041);
 * whether an institution has foreign offices, an Edge or agreement subsidiary or an IBF, which is what has a bank file
 * form 031; and offices, which the UBPR takes from structure data and we from FDIC's institutions.
 */
const described: Readonly<Record<string, string>> = {
  UBPRC752: 'IF(Context.Form = 31, 31, 41)',
  UBPRD293: 'IF(uc:UBPRC752[P0] = 31, 1, 0)',
  UBPRD218: 'cc:FDICOFFS[P0]',
}

/** The quarter of a year-to-date item, as the guide takes it in UBPRD395. */
const ofTheQuarter = (item: string) =>
  `IF(uc:UBPRD485[P0] = 1, cc:${item}[P0] - cc:${item}[-P1Q], IF(uc:UBPRD485[P0] = 0, cc:${item}[P0], NULL))`

/**
 * Concepts that the guide's text has not got, or has otherwise than the FFIEC's taxonomy of 2026 (v181), by code. Inputs are
 * the taxonomy's; how they are put together is that of the guide's concepts beside them (UBPRD395, UBPRE668, UBPRE630),
 * and gives the values that the FFIEC publishes. A guide of that year or later goes before them.
 */
const newer: Readonly<Record<string, readonly [label: string, formula: string]>> = {
  UBPRKX38: ['Net Interest Income (One Quarter)', ofTheQuarter('RIAD4074')],
  UBPRKX39: [
    'Net Interest Income (One Quarter, Annualized) as a percent of Average Assets',
    'PCTOF(uc:UBPRKX38[P0] * 4, uc:UBPR3368[P0])',
  ],
  UBPRKX41: [
    'Net Interest Income (One Quarter, Annualized) as a percent of Average Earning Assets',
    'PCTOF(uc:UBPRKX38[P0] * 4, uc:UBPRD333[P0])',
  ],
  UBPRKX45: ['Tier One Capital, Growth in One Quarter', 'CHANGEQI(#uc:UBPRE644, 1)'],
  // The edition of 2017 takes the first quarter's equity alone, that of 2019 gives no formula.
  UBPRD340: ['Average Equity of the Quarter', 'CAVG02X(#uc:UBPRD660)'],
  // Not over UBPRD387, the net income of the quarter: the edition of 2017 annualises that itself.
  UBPRKY37: [
    'Net Income (One Quarter, Annualized) as a percent of Average Equity',
    `IF(uc:UBPRD340[P0] > 0, PCTOF(${ofTheQuarter('RIAD4340')} * 4, uc:UBPRD340[P0]), NULL)`,
  ],
}

const taxonomyDate = '2026-01-01'

/** Raised when the same formulas give other rows, so that they are worked out again. */
export const version = 5
const mdrmCode = /^[A-Z]{4}[A-Z0-9]{4}$/
/** UBPAE877, the size of the peer group, is one that no formula makes. */
const isConcept = (code: string) => code.startsWith('UBP')
/** Any code of the MDRM's form is an item: one that no filer has is NULL in every filing. */
export const isItem = (code: string): boolean => mdrmCode.test(code)

/**
 * What the loaded editions say together: of each concept the newest formula that can be read, an edition's gaps filled
 * from the ones before it. The lines of the report are the newest edition's.
 */
export function assemble(rows: readonly GuideRow[]): Guide {
  const ordered = [...rows].sort(
    (a, b) => compareText(b.edition_date, a.edition_date) || compareText(a.part, b.part) || a.line - b.line,
  )
  const byCode = new Map<string, GuideRow[]>()
  for (const row of ordered) {
    const of = byCode.get(row.code)
    if (of) of.push(row)
    else byCode.set(row.code, [row])
  }
  const candidates = new Map<string, UbprConcept>()
  const refused: Refused[] = []
  for (const [code, of] of byCode) {
    const chosen = formulaOf(code, of)
    const label = of.find((row) => row.description)?.description ?? of.find((row) => row.title)?.title ?? code
    const narrative = of.find((row) => row.narrative)?.narrative ?? ''
    if ('reason' in chosen) refused.push({ code, label, ...chosen })
    else candidates.set(code, { code, label, narrative, unit: '', ...chosen })
  }
  for (const [code, formula] of Object.entries(described)) {
    if (candidates.has(code) || ordered.length === 0) continue
    const label = refused.find((one) => one.code === code)?.label ?? code
    candidates.set(code, { code, label, narrative: '', unit: '', formula, origin: 'described', edition: '' })
  }
  for (const [code, [label, formula]] of Object.entries(newer)) {
    const text = (byCode.get(code) ?? []).find(
      (row) => row.formula !== '' && row.edition_date >= taxonomyDate,
    )
    if (text || ordered.length === 0) continue
    const known = candidates.get(code)
    const concept = { code, label, narrative: '', unit: '', edition: '', ...known }
    candidates.set(code, { ...concept, formula, origin: 'taxonomy' })
  }
  return compiled(candidates, refused, reportLines(ordered))
}

/** The newest formula that parses, as published before mended, the longest of several: a shorter one was cut off. */
function formulaOf(code: string, rows: readonly GuideRow[]) {
  if (!isConcept(code)) {
    return { formula: `cc:${code}[P0]`, origin: 'item' as const, edition: rows[0]!.edition }
  }
  const editions = [...new Set(rows.map((row) => row.edition_date))]
  let failure: { edition: string; formula: string; kind: string; reason: string } | undefined
  for (const date of editions) {
    const texts = rows.filter((row) => row.edition_date === date && row.formula !== '')
    for (const { formula, edition } of texts.sort((a, b) => b.formula.length - a.formula.length)) {
      for (const [origin, text] of [
        ['guide', formula],
        ['mended', mended(formula)],
      ] as const) {
        try {
          parse(text, code)
          return { formula: text, origin, edition }
        } catch (error) {
          if (!(error instanceof FormulaError)) throw error
          failure ??= { edition, formula, kind: error.code, reason: error.reason }
        }
      }
    }
  }
  const none = {
    edition: rows[0]!.edition,
    formula: '',
    kind: 'no-formula',
    reason: 'the guide gives no formula',
  }
  return failure ?? none
}

/** Leaves out what does not compile, with the reason. */
function compiled(
  candidates: ReadonlyMap<string, UbprConcept>,
  refused: readonly Refused[],
  lines: readonly PageLine[],
): Guide {
  const formulas = [...candidates.values()].map(({ code, formula }) => ({
    key: `uc:${code}`,
    source: formula,
  }))
  const known = checkEach({ formulas, items: isItem })
  const failed: Refused[] = []
  const good: UbprConcept[] = []
  for (const concept of candidates.values()) {
    const fault = known.failed.get(`uc:${concept.code}`)
    // A guide that has not got what a newer concept rests on has not got the concept.
    if (fault && concept.origin === 'taxonomy' && concept.edition === '') continue
    if (fault) {
      const { code, label, edition, formula } = concept
      failed.push({ code, label, edition, formula, kind: fault.code, reason: fault.reason })
    } else good.push(concept)
  }
  const units = unitsOf(known.checked)
  const numeric = good.filter(({ code }) => {
    const { type } = known.checked.get(`uc:${code}`)!
    return type === 'number' || type === 'boolean'
  })
  const order = new Map<string, number>()
  for (const { code } of lines) if (!order.has(code)) order.set(code, order.size)
  const place = (code: string) => order.get(code) ?? order.size
  const concepts = numeric
    .map((concept) => ({ ...concept, unit: units(`uc:${concept.code}`, concept.label) }))
    .sort((a, b) => place(a.code) - place(b.code) || compareText(a.code, b.code))
  const hash = createHash('sha256')
  hash.update(JSON.stringify([version, good.map(({ code, formula }) => [code, formula]), concepts, lines]))
  return {
    concepts,
    formulas: good.map(({ code, formula }) => ({ key: `uc:${code}`, source: formula })),
    published: good.filter(({ origin }) => origin === 'guide' || origin === 'mended').length,
    refused: [...refused.filter(({ code }) => !candidates.has(code)), ...failed].sort((a, b) =>
      compareText(a.code, b.code),
    ),
    lines: [...lines],
    hash: hash.digest('hex'),
  }
}

/** The newest edition's page lines, in the order of the printed report: by number, the fiduciary pages last. */
function reportLines(ordered: readonly GuideRow[]): PageLine[] {
  const newest = ordered.find((row) => !row.referenced)?.edition_date
  const rank = (row: GuideRow) => {
    const [, digits = '999', letter = ''] = /^(\d+)([A-Z]*)/.exec(row.page_number) ?? []
    return [row.page.startsWith('Fiduciary') ? 1 : 0, Number(digits), letter.replace('F', '')] as const
  }
  return ordered
    .filter((row) => row.edition_date === newest && !row.referenced)
    .map((row) => ({ row, rank: rank(row) }))
    .sort(
      (a, b) =>
        a.rank[0] - b.rank[0] ||
        a.rank[1] - b.rank[1] ||
        compareText(a.rank[2], b.rank[2]) ||
        compareNumbers(a.row.item_number, b.row.item_number) ||
        a.row.line - b.row.line,
    )
    .map(({ row }) => ({
      page: row.page,
      page_number: row.page_number,
      item_number: row.item_number,
      title: row.title,
      code: row.code,
    }))
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** `4.2` before `10.1`. */
function compareNumbers(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.split('.').map(Number))
  return (x![0] ?? 0) - (y![0] ?? 0) || (x![1] ?? 0) - (y![1] ?? 0)
}
