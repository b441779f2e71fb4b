/** The first place of ascending numbers that is above a value; their length where none is. */
export function firstAfter(sorted: Float64Array | Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** The first place of ascending numbers that is not below a value; their length where all are. */
export function firstFrom(sorted: Float64Array | Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
