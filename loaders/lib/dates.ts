/**
 * A date in any of the forms of the agencies' files (`12/31/2018`, `2018-12-31`, `20181231`, each with or without a
 * time) as ISO 8601; `null` for blank, for what is no date, and for the year 9999, which stands for "open".
 */
export function isoDateOf(text: string): string | null {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\D|$)/.exec(text)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:\D|$)/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (american) return checked(american[3]!, american[1]!, american[2]!)
  return iso ? checked(iso[1]!, iso[2]!, iso[3]!) : null
}

function checked(year: string, month: string, day: string): string | null {
  if (year === '9999') return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}
