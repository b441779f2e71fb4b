/**
 * The likely meaning of a mistyped name: the candidate at the least edit distance, when that is at most a
 * third of the name's length (and at least one edit is forgiven); among equals one that begins with the name.
 */
export function suggest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase().slice(0, 64)
  if (wanted === '') return undefined
  const most = Math.max(1, Math.floor(wanted.length / 3))
  let best: string | undefined
  let least = most + 1
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase()
    const begins = lower.startsWith(wanted) && !best?.toLowerCase().startsWith(wanted)
    if (Math.abs(lower.length - wanted.length) >= least + Number(begins)) continue
    const distance = editDistance(wanted, lower)
    if (distance < least || (begins && distance === least && best !== undefined)) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours count one. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1)
      }
      row.push(cost)
    }
    before = above
    above = row
  }
  return above[b.length]!
}
