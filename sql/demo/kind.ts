/** A kind of institutions of the demo universe that are not banks. */
export interface DemoKind {
  /** As its universe names it: `credit_union`. */
  readonly entity: string
  /**
   * Statements that fill the tables of its sources, in order, with the parameters of the demo's other steps
   * (`seed`, `quarters`, `last`, `live`, `closed`). Scratch tables are dropped by the last of them.
   */
  readonly statements: readonly string[]
}
