/** Every institution by name, for a search that completes: read once a tab, when the search is first entered. */
import { askColumns, type Columns, isProblem } from './api.ts'
import type { Kind } from './kinds.ts'

export interface Institution {
  readonly kind: Kind
  readonly id: number
  readonly name: string
  readonly place: string
  /** Thousands of US dollars. */
  readonly assets: number | null
  readonly active: boolean
  /** What is searched. */
  readonly text: string
}

export const kindNames: Readonly<Record<Kind, string>> = {
  bank: 'Bank',
  'credit-union': 'Credit union',
  'holding-company': 'Holding company',
}

export const addressOf = ({ kind, id }: Pick<Institution, 'kind' | 'id'>): string => `/${kind}/${id}`

let read: Promise<readonly Institution[]> | undefined
let complete = true

/** The largest first. A kind that is not loaded is left out. */
export function institutions(): Promise<readonly Institution[]> {
  if (!complete) read = undefined
  complete = true
  read ??= Promise.all([
    askColumns('bank-search-index', {}).then(
      ({ data }) => listOf('bank', data, 'rssd_id', 'hq_state', 'total_assets'),
      unloaded,
    ),
    askColumns('credit-union-directory', {
      fields: ['cu_number', 'legal_name', 'city', 'state', 'active', 'total_assets'],
    }).then(({ data }) => listOf('credit-union', data, 'cu_number', 'state', 'total_assets'), unloaded),
    askColumns('holding-company-directory', {
      fields: ['rssd_id', 'legal_name', 'city', 'hq_state', 'active', 'total_assets', 'bank_assets'],
    }).then(({ data }) => listOf('holding-company', data, 'rssd_id', 'hq_state', 'bank_assets'), unloaded),
  ]).then((lists) =>
    lists.flat().sort((a, b) => Number(b.active) - Number(a.active) || (b.assets ?? 0) - (a.assets ?? 0)),
  )
  read.catch(() => {
    read = undefined
  })
  return read
}

/** A demo or a first load has its banks first: the next search looks again. */
function unloaded(problem: unknown): readonly Institution[] {
  if (!isProblem(problem, 'no-data')) throw problem
  complete = false
  return []
}

function listOf(
  kind: Kind,
  { columns, rows }: Columns,
  id: string,
  state: string,
  assets: string,
): Institution[] {
  return Array.from({ length: rows }, (_, i) => {
    const name = String(columns.legal_name![i] ?? '')
    const place = [columns.city![i], columns[state]![i]].filter(Boolean).join(', ')
    const number = Number(columns[id]![i])
    return {
      ...{ kind, id: number, name, place },
      assets: columns[assets]![i] as number | null,
      active: columns.active![i] !== false,
      text: plain(`${name} ${place} ${number} ${columns.cert?.[i] ?? ''}`),
    }
  })
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[.,'’&-]/g, ' ')

/** Those that have every word; a name that begins with what is written comes first. */
export function matching(all: readonly Institution[], written: string, most: number): Institution[] {
  const wanted = plain(written).trim()
  const words = wanted.split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const [first, rest]: [Institution[], Institution[]] = [[], []]
  for (const one of all) {
    if (!words.every((word) => one.text.includes(word))) continue
    if (one.text.startsWith(wanted)) first.push(one)
    else if (rest.length < most) rest.push(one)
    if (first.length === most) break
  }
  return [...first, ...rest].slice(0, most)
}
