/** The three Call Report forms: with foreign offices, without, and the short one of small banks. */
export type Form = '031' | '041' | '051'
export const forms: readonly Form[] = ['031', '041', '051']

/** One item of the demo filings: where it stands, who files it, and the SQL of its value. */
export interface Item {
  schedule: string
  /** MDRM code with its prefix, such as RCFD2170. */
  mdrm: string
  caption: string
  forms: readonly Form[]
  /** Expression over `demo_filings`. NULL leaves the item blank. */
  value: string
}

/** An item before it is placed in a schedule. */
export type Entry = Omit<Item, 'schedule'>

const domesticForms: readonly Form[] = ['041', '051']

/** RCFD on form 031, RCON of the same code on 041 and 051 (or those of them that are given). */
export function consolidated(
  code: string,
  caption: string,
  value: string,
  on: readonly Form[] = forms,
): Entry[] {
  return [
    { mdrm: `RCFD${code}`, caption, value, forms: on.filter((form) => form === '031') },
    { mdrm: `RCON${code}`, caption, value, forms: on.filter((form) => domesticForms.includes(form)) },
  ].filter((entry) => entry.forms.length > 0)
}

/** RCON: domestic offices, on every form or on those given. */
export function domestic(code: string, caption: string, value: string, on: readonly Form[] = forms): Entry[] {
  return [{ mdrm: `RCON${code}`, caption, value, forms: on }]
}

/** RCFN: foreign offices, form 031 alone. */
export function foreign(code: string, caption: string, value: string): Entry[] {
  return [{ mdrm: `RCFN${code}`, caption, value, forms: ['031'] }]
}

/** RIAD: income, calendar year to date. */
export function income(code: string, caption: string, value: string, on: readonly Form[] = forms): Entry[] {
  return [{ mdrm: `RIAD${code}`, caption, value, forms: on }]
}

/** RCFA on form 031, RCOA on the others: regulatory capital under the revised rules, since 2014. */
export function capital(code: string, caption: string, value: string): Entry[] {
  return [
    { mdrm: `RCFA${code}`, caption, value, forms: ['031'] },
    { mdrm: `RCOA${code}`, caption, value, forms: domesticForms },
  ]
}

/** Places entries in a schedule, in their order. */
export function schedule(name: string, entries: readonly Entry[][]): Item[] {
  return entries.flat().map((entry) => ({ schedule: name, ...entry }))
}
