/** A value that a parameter cannot take. Thrown by its `parse`; the reader of the request adds the name. */
export class InvalidValue extends Error {
  override name = 'InvalidValue'
  readonly allowed: string | readonly string[] | undefined
  readonly didYouMean: string | undefined

  constructor(reason: string, allowed?: string | readonly string[], didYouMean?: string) {
    super(reason)
    this.allowed = allowed
    this.didYouMean = didYouMean
  }
}
