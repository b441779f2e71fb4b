import { LoadError } from './errors.ts'

const MIB = 2 ** 20

/**
 * What a file may have. No agency's file comes near any of it; one made to do harm is refused at the first that it
 * passes, by name, before it costs memory or time.
 */
export const limits = {
  /** Of a zip: a quarter of Call Reports has 48 members and 50 MB, the largest member 3.3 MB, and they shrink to a 54th. */
  zip: { members: 1_000, memberBytes: 16 * MIB, bytes: 128 * MIB, ratio: 200 },
  /** Of a zip whose members pass through a bit at a time: the largest, of complaints and filings, unpack to some 20 GB. */
  streamed: { members: 100_000, memberBytes: 256 * 1024 * MIB, bytes: 512 * 1024 * MIB, ratio: 200 },
  /** Of a zip of documents that are read one by one: EDGAR's submissions are a million, the largest of some 50 MB. */
  documents: { members: 10_000_000, memberBytes: 256 * MIB, bytes: 512 * 1024 * MIB, ratio: 200 },
  /** Of text in lines: the longest line of a Call Report has 8.5 KB, the widest table of the FDIC 1,200 columns. */
  text: { bytes: 256 * MIB, lines: 2_000_000, columns: 4_000, values: 20_000_000 },
  /** Of what is held as a whole: a workbook, XML, JSON, a table of rates. */
  whole: { bytes: 64 * MIB, depth: 50 },
  /** Of a workbook's sheet: twelve months of six columns and a dozen rows are usual. */
  sheet: { rows: 10_000, columns: 1_000 },
  /** Of a parser that works apart. */
  thread: { seconds: 60, mebibytes: 1024 },
  /** Rows of one edition that are refused and listed. */
  rejects: 50_000,
}

/** What a zip may have whose members have so many MiB at most, and are read a bit at a time. */
export const zipLimits = (mebibytes?: number): typeof limits.zip => {
  const memberBytes = mebibytes === undefined ? limits.zip.memberBytes : mebibytes * MIB
  return { ...limits.zip, memberBytes, bytes: Math.max(limits.zip.bytes, memberBytes) }
}

const say = (count: number) => count.toLocaleString('en-US')

/** @throws LoadError naming the place where a count passes its limit: `a.zip: has 70,000 members, more than the 1,000 …` */
export function within(place: string, count: number, what: string, most: number): void {
  if (count > most)
    throw new LoadError(
      `${place}: has ${say(count)} ${what}, more than the ${say(most)} that a file may have`,
    )
}
