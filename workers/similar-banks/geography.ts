/** US Census Bureau divisions, and the territories as one more, by two-letter code. */
const divisions: Record<string, readonly string[]> = {
  'New England': ['CT', 'MA', 'ME', 'NH', 'RI', 'VT'],
  'Middle Atlantic': ['NJ', 'NY', 'PA'],
  'East North Central': ['IL', 'IN', 'MI', 'OH', 'WI'],
  'West North Central': ['IA', 'KS', 'MN', 'MO', 'ND', 'NE', 'SD'],
  'South Atlantic': ['DC', 'DE', 'FL', 'GA', 'MD', 'NC', 'SC', 'VA', 'WV'],
  'East South Central': ['AL', 'KY', 'MS', 'TN'],
  'West South Central': ['AR', 'LA', 'OK', 'TX'],
  Mountain: ['AZ', 'CO', 'ID', 'MT', 'NM', 'NV', 'UT', 'WY'],
  Pacific: ['AK', 'CA', 'HI', 'OR', 'WA'],
  Territories: ['AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'VI'],
}

const codes: string[] = []
const divisionOfCode: number[] = []
for (const [division, states] of Object.values(divisions).entries()) {
  for (const state of states) {
    codes.push(state)
    divisionOfCode.push(division)
  }
}
const indexOfCode = new Map(codes.map((code, index) => [code, index]))

/** The place of a state in the list of states; 255 for a code that is not one of them. */
export const UNKNOWN_STATE = 255
export const stateIndex = (code: string | null): number => indexOfCode.get(code ?? '') ?? UNKNOWN_STATE

/** 0 in the same state, 1 in the same Census division, 2 elsewhere or unknown. */
export function placeDistance(a: number, b: number): 0 | 1 | 2 {
  if (a === UNKNOWN_STATE || b === UNKNOWN_STATE) return 2
  if (a === b) return 0
  return divisionOfCode[a] === divisionOfCode[b] ? 1 : 2
}
