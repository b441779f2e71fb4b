/** Further from it a long name is another one, and not worth the search. */
const MOST_EDITS = 5
/** More than any distance. */
const BEYOND = 0xff_00
/** Longer than any name there is, and all that a request may cost here. */
const LONGEST = 64

/**
 * The likely meaning of a mistyped name: the candidate at the least edit distance, when that is at most five and a
 * third of the name's length (and at least one edit is forgiven); among equals one that begins with the name.
 * A text longer than any name means none.
 */
export function suggest(text: string, candidates: Iterable<string>): string | undefined {
  if (text === '' || text.length > LONGEST) return undefined
  const wanted = text.toLowerCase()
  const most = Math.min(MOST_EDITS, Math.max(1, Math.floor(wanted.length / 3)))
  let best: string | undefined
  let least = most + 1
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase()
    const begins = lower.startsWith(wanted) && !best?.toLowerCase().startsWith(wanted)
    if (Math.abs(lower.length - wanted.length) >= least + Number(begins)) continue
    const distance = editDistance(wanted, lower, least)
    if (distance < least || (begins && distance === least && best !== undefined)) {
      least = distance
      best = candidate
    }
  }
  return best
}

/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours count one.
 * @param most where the distance is greater, Infinity is as good an answer, and cheaper
 */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  // of the characters up to a place in both; a row for each of `a`, as far from the diagonal as may matter
  let before = new Uint16Array(b.length + 1)
  let above = Uint16Array.from({ length: b.length + 1 }, (_, i) => i)
  let row = new Uint16Array(b.length + 1)
  let leastAbove = 0
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1)
    const from = Math.max(1, i - most)
    const to = Math.min(b.length, i + most)
    row[from - 1] = from === 1 ? i : BEYOND
    let least: number = row[from - 1]!
    for (let j = from; j <= to; j++) {
      const same = code === b.charCodeAt(j - 1)
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && code === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) {
        cost = Math.min(cost, before[j - 2]! + 1)
      }
      row[j] = cost
      if (cost < least) least = cost
    }
    if (to < b.length) row[to + 1] = BEYOND
    // a swap reaches over one row, so two of them tell
    if (least > most && leastAbove > most) return Number.POSITIVE_INFINITY
    leastAbove = least
    ;[before, above, row] = [above, row, before]
  }
  return above[b.length]!
}
