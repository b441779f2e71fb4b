import { isoDateOf } from '../lib/dates.ts'
import type { TableRecord } from '../lib/table.ts'

/** A row of `mdrm_dictionary`. */
export interface DictionaryItem {
  mdrm: string
  start_date: string
  end_date: string | null
  name: string
  description: string
  confidential: boolean | null
  forms: string[]
}

/** One validity period of an item, from the published CSV or from a list of codes, or why it cannot be kept. */
export function itemOf({ values }: TableRecord): DictionaryItem | string {
  const field = (...names: string[]) =>
    names.map((name) => values.get(name)).find((value) => value !== undefined) ?? ''
  const mdrm = (values.get('mdrm item') ?? field('mnemonic') + field('item code')).trim().toUpperCase()
  if (!/^[A-Z0-9]{4}[A-Z0-9]{2,8}$/.test(mdrm)) return `${JSON.stringify(mdrm)} is no MDRM code`
  const start = isoDateOf(field('start date'))
  if (!start) return `${mdrm}: start date is ${JSON.stringify(field('start date'))}, expected a date`
  return {
    mdrm,
    start_date: start,
    end_date: isoDateOf(field('end date')),
    name: clean(field('item name')),
    description: clean(field('description')),
    confidential: flagOf(field('confidentiality', 'confidential')),
    forms: formsOf(field('reporting form', 'reporting forms')),
  }
}

/** Descriptions are written as HTML with entities and odd spaces; the words are what is wanted. */
function clean(text: string): string {
  return text
    .replaceAll(/<\/?(br|p|div|li|ul|ol|tr|td)\b[^<>]{0,200}>/gi, ' ')
    .replaceAll(/<[^<>]{1,200}>/g, '')
    .replaceAll(/&(nbsp|#160|#xA0);/gi, ' ')
    .replaceAll(/&#x?0*(D|A|13|10);/gi, ' ')
    .replaceAll(/&lt;/gi, '<')
    .replaceAll(/&gt;/gi, '>')
    .replaceAll(/&quot;/gi, '"')
    .replaceAll(/&amp;/gi, '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function flagOf(text: string): boolean | null {
  if (/^(y|yes|true|1)$/i.test(text)) return true
  return /^(n|no|false|0)$/i.test(text) ? false : null
}

function formsOf(text: string): string[] {
  return text
    .split(/[;,]/)
    .map((form) => form.trim())
    .filter((form) => form !== '')
}
