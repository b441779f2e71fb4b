/** So many are known at a time; one that falls on the place of another takes it. */
const PLACES = 2 ** 16

/**
 * Which answers were asked for before, without keeping them: most never are again, and to keep each would drive out what is
 * asked for often, and have the collector move it all. Bounded; it may forget, and all but never takes one for another.
 */
export class Before {
  readonly #marks = new Uint32Array(PLACES)

  /** Whether the answer of this tag was asked for before. From now on it was. @param tag of `tagOf` */
  again(tag: string): boolean {
    const place = numberOf(tag, 0) % PLACES
    const mark = numberOf(tag, CHARACTERS)
    const again = this.#marks[place] === mark
    this.#marks[place] = mark
    return again
  }
}

/** Characters of a tag, of 6 bits each, that make a number of 32 bits. */
const CHARACTERS = 6

function numberOf(tag: string, from: number): number {
  let number = 1
  for (let at = from; at < from + CHARACTERS; at++)
    number = (Math.imul(number, 63) + tag.charCodeAt(at)) >>> 0
  return number
}
