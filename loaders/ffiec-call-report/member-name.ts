/** What the name of a file inside a "Call Bulk All Schedules" download says. */
export interface MemberName {
  /** `POR` for the panel of reporters, else the schedule: `RC`, `RCRII`. */
  schedule: string
  /** ISO date. */
  reportDate: string
  part: number
  parts: number
}

const MEMBER =
  /^FFIEC CDR Call (?:Bulk (POR)|Schedule ([A-Z][A-Z0-9]{0,11})) (\d{8})(?: ?\((\d{1,2}) of (\d{1,2})\))?\.txt$/i
const ARCHIVE = /\b(\d{8})\.zip$/i

/** `FFIEC CDR Call Schedule RCRII 12312018(1 of 4).txt`; `null` for a name of any other form. */
export function parseMemberName(name: string): MemberName | null {
  const match = MEMBER.exec(name.normalize().replaceAll(/\s+/g, ' ').trim())
  const reportDate = match && isoDate(match[3]!)
  if (!match || !reportDate) return null
  const [, por, schedule, , part = '1', parts = '1'] = match
  return { schedule: (por ?? schedule)!.toUpperCase(), reportDate, part: Number(part), parts: Number(parts) }
}

/** The date at the end of an archive's name, where it has one. */
export function archiveDate(name: string): string | null {
  const match = ARCHIVE.exec(name)
  return match ? isoDate(match[1]!) : null
}

/** `12312018` → `2018-12-31`; `null` where that is not the last day of a quarter, as every report date is. */
function isoDate(text: string): string | null {
  const [month, day, year] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)]
  return ['0331', '0630', '0930', '1231'].includes(month + day) ? `${year}-${month}-${day}` : null
}

/** `POR`, `RC`, `RCRII (2 of 4)`. */
export function titleOf({ schedule, part, parts }: MemberName): string {
  return parts === 1 ? schedule : `${schedule} (${part} of ${parts})`
}

/**
 * What is wrong with a set of members as one quarter: a date that differs, no POR, a part that is missing or
 * there twice. Empty for a sound set.
 */
export function faultsOfSet(members: readonly MemberName[]): string[] {
  const faults: string[] = []
  const dates = [...new Set(members.map((member) => member.reportDate))].sort()
  if (dates.length > 1) faults.push(`its files are of different report dates: ${dates.join(', ')}`)

  const bySchedule = groupBySchedule(members)
  for (const [schedule, files] of bySchedule) faults.push(...faultsOfParts(schedule, files))

  if (!bySchedule.has('POR'))
    faults.push('the POR file ("FFIEC CDR Call Bulk POR …"), which says who filed, is missing')
  else if (bySchedule.size === 1) faults.push('it has no schedule, only the POR')
  return faults
}

function groupBySchedule(members: readonly MemberName[]): Map<string, MemberName[]> {
  const groups = new Map<string, MemberName[]>()
  for (const member of members) groups.set(member.schedule, [...(groups.get(member.schedule) ?? []), member])
  return groups
}

function faultsOfParts(schedule: string, files: readonly MemberName[]): string[] {
  const parts = [...new Set(files.map((file) => file.parts))]
  if (parts.length > 1)
    return [`the files of schedule ${schedule} disagree on the number of parts: ${parts.join(', ')}`]
  const faults: string[] = []
  for (let part = 1; part <= parts[0]!; part += 1) {
    const count = files.filter((file) => file.part === part).length
    const title = titleOf({ ...files[0]!, part })
    if (count === 0) faults.push(`${title} is missing`)
    if (count > 1) faults.push(`there are ${count} files of ${title}`)
  }
  const beyond = files.find((file) => file.part < 1 || file.part > file.parts)
  if (beyond) faults.push(`${titleOf(beyond)} is no part`)
  return faults
}
