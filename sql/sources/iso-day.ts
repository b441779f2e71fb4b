const months = "['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']"

/**
 * SQL of the ISO form of a date: `2020-10-23`, `10/23/2020`, `20201023`, `23-Oct-20`, `October 23, 2020`, each with or
 * without a time of day. Two digits of a year are 1970 to 2069, as POSIX has it. '' for what is none of these.
 */
export function isoDay(text: string): string {
  const part = (pattern: string) => `extractGroups(${text}, '${pattern}')`
  const year = (digits: string) =>
    `if(length(${digits}) = 4, ${digits}, concat(if(${digits} >= '70', '19', '20'), ${digits}))`
  const join = (y: string, m: string, d: string) =>
    `concat(${y}, '-', leftPad(${m}, 2, '0'), '-', leftPad(${d}, 2, '0'))`
  const named = (month: string) => `toString(indexOf(${months}, lower(substring(${month}, 1, 3))))`
  const american = part('^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})(?:$|[ T])')
  const short = part('^([0-9]{1,2})-([A-Za-z]{3})-([0-9]{4}|[0-9]{2})$')
  const long = part('^([A-Za-z]{3,9})[.]? ([0-9]{1,2}), ([0-9]{4})$')
  return `multiIf(
    match(${text}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}($|[ T])'), substring(${text}, 1, 10),
    match(${text}, '^[0-9]{8}$'), concat(substring(${text}, 1, 4), '-', substring(${text}, 5, 2), '-', substring(${text}, 7, 2)),
    notEmpty(${american}), ${join(year(`${american}[3]`), `${american}[1]`, `${american}[2]`)},
    notEmpty(${short}), ${join(year(`${short}[3]`), named(`${short}[2]`), `${short}[1]`)},
    notEmpty(${long}), ${join(`${long}[3]`, named(`${long}[1]`), `${long}[2]`)},
    '')`
}
