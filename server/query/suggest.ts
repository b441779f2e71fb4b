/** Longer than any name there is, and all that a request may cost here. */
const LONGEST = 64

/**
 * The likely meaning of a mistyped name: the candidate at the least edit distance, when that is at most a
 * third of the name's length (and at least one edit is forgiven); among equals one that begins with the name.
 * A text longer than any name means none.
 */
export function suggest(text: string, candidates: Iterable<string>): string | undefined {
  if (text === '' || text.length > LONGEST) return undefined
  const wanted = text.toLowerCase()
  const most = Math.max(1, Math.floor(wanted.length / 3))
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
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  let leastAbove = 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1)
      }
      row.push(cost)
      if (cost < least) least = cost
    }
    // a swap reaches over one row, so two of them tell
    if (least > most && leastAbove > most) return Number.POSITIVE_INFINITY
    leastAbove = least
    before = above
    above = row
  }
  return above[b.length]!
}
