import { divisions } from '../../sql/states.ts'

const codes: string[] = []
const divisionOfCode: number[] = []
for (const [division, states] of Object.values(divisions).entries()) {
  for (const state of states) {
    codes.push(state)
    divisionOfCode.push(division)
  }
}
const indexOfCode = new Map(codes.map((code, index) => [code, index]))

/** Index of a state; `UNKNOWN_STATE` for a code that is none. */
export const UNKNOWN_STATE = 255
export const stateIndex = (code: string | null): number => indexOfCode.get(code ?? '') ?? UNKNOWN_STATE

/** 0 in the same state, 1 in the same Census division, 2 elsewhere or unknown. */
export function placeDistance(a: number, b: number): 0 | 1 | 2 {
  if (a === UNKNOWN_STATE || b === UNKNOWN_STATE) return 2
  if (a === b) return 0
  return divisionOfCode[a] === divisionOfCode[b] ? 1 : 2
}
