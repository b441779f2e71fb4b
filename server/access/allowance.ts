/** Counts answers against the allowance of the day, wherever it is counted. */

export interface DayUse {
  /** UTC, ISO 8601. */
  readonly date: string
  readonly requests: number
  readonly datasets: Readonly<Record<string, number>>
}

/** One answer that was counted. */
export interface Drawn {
  readonly client: string
  readonly day: { readonly date: string }
}

export interface Allowance {
  /** Counts one answer of a client, unless `most` of the day are used up, which 0 never are: then null. */
  draw(client: string, dataset: string, most: number): Drawn | null | Promise<Drawn | null>
  /** Undoes it where no answer was sent. */
  giveBack(drawn: Drawn, dataset: string): void
  /** Answers today. */
  used(client: string): number
  /** Seconds until the counts are reset. */
  secondsLeft(): number
  /** The same moment, ISO 8601. */
  resetsAt(): string
  /** The last days of a client, the newest first; days without use are left out. */
  history(client: string, days: number): Promise<DayUse[]>
  close(): Promise<void>
}
