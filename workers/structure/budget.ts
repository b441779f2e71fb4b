/**
 * What one walk may cost. The largest groups that NIC tells of have some thousands of institutions, and cost some ten
 * thousand visits of a relationship; files made so that thousands own each other would cost billions.
 */
export const limits = { visits: 10_000_000, institutions: 20_000, transformations: 20_000 }

/** Visits of relationships that are left to a walk. What it could not pay for is left out, and `cut` says so. */
export class Budget {
  cut = false
  #left: number

  constructor(visits = limits.visits) {
    this.#left = visits
  }

  /** Whether so many more may be visited. */
  spend(visits: number): boolean {
    if (this.#left < visits) this.cut = true
    else this.#left -= visits
    return !this.cut
  }
}
