/** Why a value was refused, in the words of the problem's `errors[]`. */
export interface Fault {
  parameter: string
  reason: string
  allowed?: string | readonly string[] | undefined
  did_you_mean?: string | undefined
}

/** Thrown by a parameter's `parse`; the parser adds the parameter's name. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly allowed: string | readonly string[] | undefined
  readonly didYouMean: string | undefined

  constructor(reason: string, allowed?: string | readonly string[], didYouMean?: string) {
    super(reason)
    this.allowed = allowed
    this.didYouMean = didYouMean
  }
}
