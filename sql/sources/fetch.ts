/**
 * Where a source's files are fetched from: addresses as data and pure functions. What asks them is loaders/fetch.
 */

export interface FetchDeclaration {
  /** What all addresses begin with; `SOURCE_URL_<KEY>` names another one, such as a mirror. */
  readonly base: string
  /**
   * Sent with each request. `{CDR_TOKEN}` stands for the value of that setting; the source is not asked while it is
   * empty.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Settings that must not be empty, beside those of the headers. */
  readonly needs?: readonly string[]
  /** Most requests a second; without it one follows the other. */
  readonly perSecond?: number
  /** A larger answer is not the file that was asked for; 1 GiB where left out. */
  readonly mostBytes?: number
  /** What the user should hear before it is fetched. */
  readonly note?: string
  /** SQL of texts that the addresses depend on, over the version that is served: who is held already. */
  readonly among?: string
  readonly addresses: (asked: Asked) => readonly Address[]
}

/** What the addresses of a source depend on. */
export interface Asked {
  /** What stands for the base. */
  readonly base: string
  /** ISO date, UTC. */
  readonly today: string
  /** `SOURCE_FROM_<KEY>`: nothing of earlier years is wanted. */
  readonly fromYear?: number
  /** What the declaration's `among` answers; empty where nothing is served. */
  readonly among: readonly string[]
  /** When the file of that name was last loaded from here, as an ISO time; undefined: never. */
  had(name: string): string | undefined
}

export interface Address {
  /** Of the file; no two of a source have the same. */
  readonly name: string
  /** Follows the base. Or a whole address, of another host of the publisher: its path follows what stands in for the base. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** It may not be published yet: a 404 is passed over without a word. */
  readonly mayLack?: boolean
  /** It does not change once it is published: after it was loaded it is not asked for again. */
  readonly settled?: boolean
  /** It only leads to others and is not loaded. */
  readonly aside?: boolean
  /** The answer is a JSON string of the file's bytes in base 64. */
  readonly base64?: boolean
  readonly pages?: Pages
  /** What the answer names in turn. */
  readonly leadsTo?: (text: string) => readonly Address[]
}

/** A JSON API that gives its records in pages; they become one document with all of them at the same place. */
export interface Pages {
  /** Where the records of an answer are: `data`. */
  readonly records: string
  /** Where their number altogether is: `meta.total`. The first that is there counts. */
  readonly total: readonly string[]
  /** What changes when any record does, such as the time of the index: where it is as it was, nothing more is asked. */
  readonly edition?: string
  /** Most records of a page. */
  readonly limit: number
}

export const bankFindBase = 'https://api.fdic.gov/banks'

/** Everything that an endpoint of the FDIC's BankFind API has, as one JSON file named after it. Its base is `bankFindBase`. */
export function bankFind(
  endpoint: 'institutions' | 'locations' | 'history' | 'failures' | 'financials' | 'sod',
  options: { fields: readonly string[]; sort: string; filters?: string; name?: string; settled?: boolean },
): Address {
  const { fields, sort, filters, name = `${endpoint}.json`, settled } = options
  const query = new URLSearchParams({
    ...(filters !== undefined && { filters }),
    fields: fields.join(',').toUpperCase(),
    sort_by: sort,
    sort_order: 'ASC',
    format: 'json',
  })
  return {
    name,
    path: `/${endpoint}?${query}`,
    ...(settled && { settled }),
    pages: {
      records: 'data',
      total: ['meta.total', 'totals.count'],
      edition: 'meta.index.createTimestamp',
      // the API's own limits
      limit: fields.length > 250 ? 500 : 10_000,
    },
  }
}

/** A year, or a quarter of one. */
export interface Period {
  readonly year: number
  /** 1 to 4; of a year 4. */
  readonly quarter: number
  /** Its last day, ISO. */
  readonly end: string
}

/** How the files of periods come to be published. */
export interface Publishing {
  /** So many of the newest periods may not be published yet; default 1. */
  readonly late?: number
  /** So many of the newest periods may still change; older ones are settled. Default 2. */
  readonly open?: number
}

const quarterEnds = ['03-31', '06-30', '09-30', '12-31']

function byPeriod(
  periods: readonly Period[],
  address: (period: Period) => Address,
  { late = 1, open = 2 }: Publishing,
): Address[] {
  return periods.map((period, index) => {
    const newer = periods.length - 1 - index
    return {
      ...(newer < late && { mayLack: true }),
      ...(newer >= open && { settled: true }),
      ...address(period),
    }
  })
}

/** An address for each year from the first one to this year. */
export function byYear(
  { today, fromYear = 0 }: Asked,
  first: number,
  address: (year: Period) => Address,
  publishing: Publishing = {},
): Address[] {
  const from = Math.max(first, fromYear)
  const years = Math.max(0, Number(today.slice(0, 4)) - from + 1)
  const periods = Array.from({ length: years }, (_, index) => periodOf(from + index, 4))
  return byPeriod(periods, address, publishing)
}

/** An address for each quarter that has ended, from the first one (`2016Q1`) on. */
export function byQuarter(
  { today, fromYear = 0 }: Asked,
  first: `${number}Q${1 | 2 | 3 | 4}`,
  address: (quarter: Period) => Address,
  publishing: Publishing = {},
): Address[] {
  const [year, quarter] = first.split('Q').map(Number) as [number, number]
  const periods: Period[] = []
  for (let n = Math.max(year * 4 + quarter - 1, fromYear * 4); ; n += 1) {
    const period = periodOf(Math.floor(n / 4), (n % 4) + 1)
    if (period.end >= today) break
    periods.push(period)
  }
  return byPeriod(periods, address, publishing)
}

const periodOf = (year: number, quarter: number): Period => ({
  year,
  quarter,
  end: `${year}-${quarterEnds[quarter - 1]}`,
})
