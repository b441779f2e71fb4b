/** What in a table of a source names institutions of a kind, so that its rows can be linked to them. */
export interface LinkDeclaration {
  /** The kind of institution: `bank`. */
  readonly entity: string
  /** Column of its number in the view of the linked rows; that of its universe where left out. */
  readonly as?: string
  /** SQL of what the source itself calls the institution: the number of a row, or a name. One link each. */
  readonly own: string
  /** Where a row names several institutions, SQL of the array of them; the other expressions see one as `party`. */
  readonly parties?: string
  /** Condition on the rows that name one of this kind. */
  readonly where?: string
  /** SQL of an array of the numbers that the source gives, each with its kind: see `numbered`. */
  readonly numbers?: string
  /** SQL of name and place; the state as two letters. Without a place the name must be enough to know it by. */
  readonly name: string
  readonly city?: string
  readonly state?: string
  /** SQL of an array of names that it had before: they count where the name of today finds nobody. */
  readonly former?: string
  /** Whether a name that only one institution has is enough where its place is another than the source gives. */
  readonly anywhere?: boolean
  /** SQL of how often a row's name is used: of several names for one, that of the most counts. */
  readonly weight?: string
  /** Whether the source may name the holding company where it means its bank. */
  readonly aliases?: boolean
  /** SQL of the day on which the institution ended, NULL where it went on: one that files long after is another. */
  readonly ended?: string
  /** SQL of a day on which it was there: where no place is given, namesakes that had ended before are not meant. */
  readonly seen?: string
}

/** Kinds of numbers that several sources know institutions by, as they stand before the number. */
export const CERTIFICATE = 'FDIC certificate'
export const OCC_CHARTER = 'OCC charter'
export const EIN = 'EIN'
export const LEI = 'LEI'

/** SQL of the tax numbers and legal entity identifiers that NIC knows: `id, number`, as a universe tells its `numbers`. */
export const nicNumbers = `
SELECT DISTINCT rssd_id AS id, arrayJoin(arrayConcat(if(tax_id IS NULL, [], [concat('${EIN} ', assumeNotNull(tax_id))]),
    if(lei IS NULL, [], [concat('${LEI} ', assumeNotNull(lei))]))) AS number
FROM nic_institutions`

/** SQL of a number with its kind, as an array for `numbers`: empty where there is none. */
export const numbered = (kind: string, number: string): string =>
  `if(ifNull(toUInt64(${number}), 0) = 0, [], [concat('${kind} ', toString(ifNull(${number}, 0)))])`

/** `corrections` as its table has them; a correction wins over whatever else is found. */
export const CORRECTIONS = 'link_corrections'
