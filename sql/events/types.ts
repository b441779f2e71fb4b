/**
 * One vocabulary of structural events over NIC's transformation codes and FDIC's change codes. FDIC publishes no list of its
 * codes: each of its rows says in words what its code means, and the hundreds tell the family.
 */

export const eventTypes = {
  opening: 'A new institution, or a newly insured one.',
  merger: 'The institution became part of another without assistance.',
  failure: 'It failed, or was closed by its supervisor.',
  assistance: 'It was kept open with assistance, or failed and went on.',
  conservatorship: 'It entered or left a conservatorship or bridge bank.',
  closure: 'It closed or was liquidated without failing.',
  reorganization: 'The charter went on under another identity, or the group was reorganized.',
  split: 'Part of it became a new institution.',
  asset_sale: 'A large part of its assets went to another institution.',
  charter_conversion: 'Its chartering agency, class or kind of organization changed.',
  regulator_change: 'Its primary federal regulator changed.',
  membership_change: 'Its insurance or its membership in the Federal Reserve System changed.',
  name_change: 'It took another name.',
  relocation: 'Its head office moved.',
  certificate_change: 'It got another FDIC certificate.',
  control_acquired: 'Another institution acquired control of it.',
  control_ended: 'Another institution gave up control of it.',
  branch_opening: 'A branch opened.',
  branch_closing: 'A branch closed.',
  branch_acquisition: 'A branch came from another institution.',
  branch_sale: 'A branch went to another institution.',
  branch_change: 'A branch moved or was renamed.',
  other: 'Anything else, as its raw code says.',
} as const

export type EventType = keyof typeof eventTypes
export const eventTypeKeys = Object.keys(eventTypes) as EventType[]

interface Code {
  readonly code: number
  readonly type: EventType
  readonly meaning: string
}

/** NIC's codes of transformations, as its dictionary has them. */
export const nicTransformations: readonly Code[] = [
  { code: 1, type: 'merger', meaning: 'charter discontinued' },
  { code: 5, type: 'split', meaning: 'split' },
  { code: 7, type: 'asset_sale', meaning: 'sale of assets' },
  { code: 9, type: 'reorganization', meaning: 'charter retained' },
  { code: 50, type: 'failure', meaning: 'failure, government assistance provided' },
]

/** NIC's reasons why an institution ended, of those that no transformation tells of. */
export const nicTerminations: readonly Code[] = [
  { code: 1, type: 'closure', meaning: 'voluntary liquidation' },
  { code: 2, type: 'closure', meaning: 'closure' },
  { code: 4, type: 'assistance', meaning: 'failure, entity continues to exist' },
  { code: 5, type: 'failure', meaning: 'failure, entity ceases to exist' },
]

/** FDIC's change codes of institutions, by type. 8xx is what the surviving side of a 2xx did. */
export const fdicChanges: Readonly<Partial<Record<EventType, readonly number[]>>> = {
  opening: [110],
  certificate_change: [150],
  failure: [211, 213, 215, 216, 217, 230, 235, 260, 811, 812],
  merger: [221, 222, 223, 224, 225, 810],
  closure: [240],
  membership_change: [310, 320, 340, 410],
  conservatorship: [350, 360],
  charter_conversion: [420, 430, 440],
  regulator_change: [470],
  name_change: [510],
  relocation: [520],
  branch_opening: [711],
  branch_acquisition: [712, 713],
  branch_closing: [721],
  branch_sale: [722],
  reorganization: [820],
  assistance: [830],
}

const array = (values: readonly (string | number)[]) =>
  `[${values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')}]`

/** SQL of the type of a code that stands in a list. */
export const typeOfCode = (codes: readonly Code[], code: string): string =>
  `transform(${code}, ${array(codes.map((one) => one.code))}, ${array(codes.map((one) => one.type))}, 'other')`

/** SQL of what a code that stands in a list means. */
export const meaningOfCode = (codes: readonly Code[], code: string): string =>
  `transform(${code}, ${array(codes.map((one) => one.code))}, ${array(codes.map((one) => one.meaning))}, '')`

/** SQL of the type of a row of `fdic_history`: a branch that moves is no bank that does. */
export function typeOfChange(code: string, role: string): string {
  const pairs = Object.entries(fdicChanges).flatMap(([type, codes]) => codes.map((one) => ({ one, type })))
  const known = `transform(${code}, ${array(pairs.map(({ one }) => one))}, ${array(pairs.map(({ type }) => type))}, if(intDiv(${code}, 100) = 7, 'branch_change', 'other'))`
  return `if(${role} = 'BR' AND intDiv(${code}, 100) != 7, 'branch_change', ${known})`
}
