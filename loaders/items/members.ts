import { type ItemList, type ItemSource, quarterEnd } from '../../sql/sources/items.ts'

/** What the name of a file of an edition says. */
export interface MemberName {
  /** Which of the edition's tables it makes; the filers may stand in the file of the items. */
  role: 'filers' | 'items' | 'both' | 'descriptions' | 'list'
  /** Where it is a list: which. */
  list?: ItemList | undefined
  /** `POR`, `RC`, `FS220A`. */
  part: string
  /** ISO date; null where the name has none. */
  reportDate: string | null
  index: number
  of: number
  /** It holds the report of one filer, a line an item. */
  single: boolean
}

/** What a file is by its name; null for a name of any other form. */
export function parseMemberName(
  { filers, items, descriptions, listTables, single }: ItemSource,
  name: string,
): MemberName | null {
  const plain = name.normalize().replaceAll(/\s+/g, ' ').trim()
  const [filer, item, description] = [filers.member, items.member, descriptions?.member].map(
    (pattern) => pattern?.exec(plain) ?? null,
  )
  const list = listTables.find(({ member }) => member.test(plain))
  const alone = single?.member.exec(plain)
  const match = item ?? filer ?? description ?? alone ?? list?.member.exec(plain)
  if (!match) return null
  const { date, part = plain.replace(/\.\w+$/, ''), index = '1', of = '1' } = match.groups ?? {}
  const reportDate = date === undefined ? null : quarterEnd(date)
  if (date !== undefined && reportDate === null) return null
  const parts = { part: part.toUpperCase(), index: Number(index), of: Number(of) }
  const role = item ? (filer ? 'both' : 'items') : filer ? 'filers' : description ? 'descriptions' : 'list'
  return { role: alone ? 'both' : role, list, reportDate, ...parts, single: Boolean(alone) }
}

export const hasFilers = ({ role }: Pick<MemberName, 'role'>): boolean => role === 'filers' || role === 'both'
export const hasItems = ({ role }: Pick<MemberName, 'role'>): boolean => role === 'items' || role === 'both'

/** `POR`, `RC`, `RCRII (2 of 4)`. */
export const titleOf = ({ part, index, of }: MemberName): string =>
  of === 1 ? part : `${part} (${index} of ${of})`

/**
 * What is wrong with a set of members as one edition: a date that differs, no filers, a part that is missing or there
 * twice. Empty for a sound set.
 */
export function faultsOfSet(source: ItemSource, members: readonly MemberName[]): string[] {
  const { filers, items, descriptions } = source
  const faults: string[] = []
  const dates = [...new Set(members.map(({ reportDate }) => reportDate ?? ''))].filter(Boolean).sort()
  if (dates.length > 1) faults.push(`its files are of different report dates: ${dates.join(', ')}`)
  for (const part of new Set(members.map((member) => member.part)))
    faults.push(
      ...faultsOfParts(
        items.called,
        part,
        members.filter((member) => member.part === part),
      ),
    )
  const filer = members.find(hasFilers)
  if (!filer) faults.push(`${filers.file} is missing`)
  else if (!members.some(hasItems)) faults.push(`it has no ${items.called}, only the ${filer.part}`)
  if (descriptions?.member && !members.some(({ role }) => role === 'descriptions'))
    faults.push(`the file that describes its items is missing`)
  return faults
}

function faultsOfParts(called: string, part: string, files: readonly MemberName[]): string[] {
  const counts = [...new Set(files.map(({ of }) => of))]
  if (counts.length > 1)
    return [`the files of ${called} ${part} disagree on the number of parts: ${counts.join(', ')}`]
  const faults: string[] = []
  for (let index = 1; index <= counts[0]!; index += 1) {
    const count = files.filter((file) => file.index === index).length
    const title = titleOf({ ...files[0]!, index })
    if (count === 0) faults.push(`${title} is missing`)
    if (count > 1) faults.push(`there are ${count} files of ${title}`)
  }
  const beyond = files.find(({ index, of }) => index < 1 || index > of)
  if (beyond) faults.push(`${titleOf(beyond)} is no part`)
  return faults
}
