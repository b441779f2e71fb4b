/** Documents of filings, one by one: what was filed since an archive or a data set was made. */
import { quotedAll } from '../quoted.ts'
import type { Address, Asked } from './fetch.ts'
import { FILINGS } from './sec-filings.ts'

/**
 * SQL of the filings of some forms that are known of and whose documents are not held: `day cik number`, the newest first. It is the
 * `among` of a source whose addresses are `documentsLacking`. Filings are known of once an index or submissions that name them are published.
 * @param held the table of those that are held
 * @param since SQL of the day after which they are wanted
 */
export const filingsLacking = (forms: readonly string[], held: string, since: string): string =>
  `SELECT concat(toString(max(filed_date)), ' ', toString(min(cik)), ' ', accession_number) FROM ${FILINGS}
  WHERE form IN (${quotedAll([...forms, ...forms.map((form) => `${form}/A`)])}) AND filed_date > ${since}
    AND accession_number NOT IN (SELECT accession_number FROM ${held})
  GROUP BY accession_number ORDER BY max(filed_date) DESC, accession_number`

/** Documents that are asked for at a time: more come the next time. */
const MOST_DOCUMENTS = 2_000

/** Where EDGAR has the whole text of each of the filings of `among` that are later than the day. Each is asked for once. */
export const documentsLacking = ({ among, had }: Asked, after = ''): Address[] =>
  among
    .map((filing) => filing.split(' ') as [day: string, cik: string, number: string])
    .filter(([day, , number]) => day > after && had(`${number}.txt`) === undefined)
    .slice(0, MOST_DOCUMENTS)
    .map(([, cik, number]) => ({
      name: `${number}.txt`,
      path: `https://www.sec.gov/Archives/edgar/data/${cik}/${number}.txt`,
      // the SEC takes some back
      ...{ mayLack: true, settled: true },
    }))
