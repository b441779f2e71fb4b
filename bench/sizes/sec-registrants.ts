/** Registrants of a generated EDGAR, the banks behind them, and the quarters of which they report. */
import { Draw } from './draw.ts'

export interface Size {
  /** Registrants that are banks or hold one. */
  readonly registrants: number
  /** Other registrants for each of them, in the archives of everybody. */
  readonly others: number
  readonly years: number
}

export interface Registrant {
  readonly index: number
  readonly cik: number
  readonly name: string
  readonly ein: string
  readonly ticker: string
  readonly cusip: string
  readonly state: string
  readonly city: string
  /** RSSD ID of what the registrant is. */
  readonly rssdId: number
  /** Of its bank: the same where it is one itself. */
  readonly bank: number
}

export interface Quarter {
  readonly year: number
  /** 1 to 4. */
  readonly quarter: number
  /** First and last day of it, ISO, and of it a year before. */
  readonly first: string
  readonly last: string
  readonly lastYear: { readonly first: string; readonly last: string }
}

const LAST_YEAR = 2025
const states = ['NY', 'TX', 'CA', 'PA', 'IA', 'OH', 'GA', 'IL', 'VA', 'MO']
const words = 'First,Union,Valley,Heritage,Pioneer,Summit,Harbor,Prairie,Liberty,Cedar,Granite,River'.split(
  ',',
)
const letters = (number: number, count: number): string =>
  Array.from({ length: count }, (_, at) =>
    String.fromCharCode(65 + (Math.floor(number / 26 ** (count - 1 - at)) % 26)),
  ).join('')

/** Every second one holds a bank, the others are one. */
export function registrantsOf({ registrants }: Size): Registrant[] {
  return Array.from({ length: registrants }, (_, index): Registrant => {
    const draw = new Draw(1, index)
    const holds = index % 2 === 0
    const rssdId = 1_000_000 + index
    return {
      ...{ index, cik: 500_000 + index * 7, rssdId, bank: holds ? 2_000_000 + index : rssdId },
      name: `${draw.of(words)} ${letters(index, 4)} ${holds ? 'BANCORP' : 'BANK'}`.toUpperCase(),
      ein: String(310_000_000 + index),
      ticker: letters(index, 4),
      cusip: `${letters(index, 3)}${String(index).padStart(3, '0').slice(-3)}109`,
      ...{ state: draw.of(states), city: `TOWN ${draw.below(300)}` },
    }
  })
}

export const cik10 = (cik: number): string => String(cik).padStart(10, '0')

const ends = ['03-31', '06-30', '09-30', '12-31']
const begins = ['01-01', '04-01', '07-01', '10-01']

/** The oldest first. */
export const quartersOf = ({ years }: Size): Quarter[] =>
  Array.from({ length: years * 4 }, (_, at) => {
    const [year, quarter] = [LAST_YEAR - years + 1 + Math.floor(at / 4), (at % 4) + 1]
    const days = (of: number) => ({
      first: `${of}-${begins[quarter - 1]}`,
      last: `${of}-${ends[quarter - 1]}`,
    })
    return { year, quarter, ...days(year), lastYear: days(year - 1) }
  })

/** A day of a quarter, ISO: from the first of the quarter on by so many days, fewer than 90. */
export function dayOf({ year, quarter }: Quarter, days: number): string {
  const month = (quarter - 1) * 3 + Math.floor(days / 30) + 1
  return `${year}-${String(month).padStart(2, '0')}-${String((days % 28) + 1).padStart(2, '0')}`
}

/** EDGAR's number of the filing with a place in its quarter. */
export const accessionOf = (cik: number, { year, quarter }: Quarter, place: number): string =>
  `${cik10(cik)}-${String(year % 100).padStart(2, '0')}-${String(quarter * 1000 + place).padStart(6, '0')}`

/** NIC's attributes of institutions, and who holds whom. */
export function nicFiles(registrants: readonly Registrant[]): { attributes: string; relationships: string } {
  const row = (rssdId: number, name: string, charter: number, kind: string, of: Registrant, ein: string) =>
    [
      ...[
        rssdId,
        19900101,
        99991231,
        name,
        name.slice(0, 30),
        kind,
        1,
        0,
        '1 MAIN ST',
        '',
        of.city,
        of.state,
      ],
      ...['10001', 0, 0, 'UNITED STATES', 19900101, 19900101, 99991231, 0, charter, ein],
    ].join(',')
  const attributes = registrants.flatMap((one) =>
    one.bank === one.rssdId
      ? [row(one.bank, one.name, 200, 'NAT', one, one.ein)]
      : [
          row(one.rssdId, one.name, 500, 'BHC', one, one.ein),
          row(one.bank, one.name.replace('BANCORP', 'NATIONAL BANK'), 200, 'NAT', one, '0'),
        ],
  )
  const held = registrants.filter(({ bank, rssdId }) => bank !== rssdId)
  return {
    attributes: lines(
      '#ID_RSSD,DT_START,DT_END,NM_LGL,NM_SHORT,ENTITY_TYPE,EST_TYPE_CD,ID_RSSD_HD_OFF,STREET_LINE1,STREET_LINE2,CITY,STATE_ABBR_NM,ZIP_CD,STATE_CD,COUNTY_CD,CNTRY_NM,DT_OPEN,DT_EXIST_CMNC,DT_EXIST_TERM,REASON_TERM_CD,CHTR_TYPE_CD,ID_TAX',
      attributes,
    ),
    relationships: lines(
      '#ID_RSSD_PARENT,ID_RSSD_OFFSPRING,DT_START,DT_END,RELN_LVL,CTRL_IND,REG_IND,EQUITY_IND,PCT_EQUITY,DT_RELN_EST',
      held.map(({ rssdId, bank }) => `${rssdId},${bank},19900101,99991231,1,1,1,1,100.00,19900101`),
    ),
  }
}

const lines = (header: string, rows: readonly string[]): string => `${[header, ...rows].join('\r\n')}\r\n`
