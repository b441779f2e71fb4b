/** Codes of the SEC's filings and registrants: what each means. */

import { eventItems } from '../../../sql/sources/sec-items.ts'
import type { CodeList } from './agency-codes.ts'
import { ownWords } from './own-words.ts'

const own = 'this project'

export const secCodes: readonly CodeList[] = [
  {
    list: 'sec-registrant-via',
    source: own,
    columns: ['via'],
    codes: {
      itself: 'The bank is the registrant',
      'holding company': 'A holding company of the bank is the registrant',
    },
  },
  {
    list: 'sec-item',
    source: 'SEC, Form 8-K',
    columns: ['item'],
    codes: eventItems,
  },
  {
    list: 'sec-restatement',
    source: own,
    columns: ['sec-restatements.kind'],
    codes: {
      non_reliance: 'Item 4.02: statements issued before can no longer be relied on',
      amended_annual_report: 'An amended annual report',
      amended_quarterly_report: 'An amended quarterly report',
    },
  },
  {
    list: 'sec-merger-filing',
    source: own,
    columns: ['sec-mergers.kind'],
    codes: {
      communication: 'Form 425: communication on a merger',
      registration: 'Form S-4: securities that are issued in a merger',
      proxy: 'Proxy or information statement on a merger',
      tender_offer: 'Tender offer, or what the subject company says to it',
      completed: 'Item 2.01: an acquisition or a disposal was completed',
      agreement: 'Item 1.01: a material agreement was made',
    },
  },
  {
    list: 'sec-late-report',
    source: own,
    columns: ['sec-late-filings.kind'],
    codes: {
      annual_report: 'NT 10-K: the annual report is late',
      quarterly_report: 'NT 10-Q: the quarterly report is late',
    },
  },
  {
    list: 'securities-act',
    source: 'SEC',
    columns: ['act'],
    codes: {
      33: 'Securities Act of 1933',
      34: 'Securities Exchange Act of 1934',
      39: 'Trust Indenture Act of 1939',
      40: 'Investment Company Act of 1940',
    },
  },
  {
    list: 'sec-document-kind',
    source: own,
    columns: ['sec-filing.kind'],
    codes: {
      index: 'The page of the filing with all its documents',
      submission: 'The whole filing as one text',
      primary: 'The primary document',
    },
  },
  {
    list: 'link-method',
    source: own,
    columns: ['sec-registrant.method'],
    codes: {
      correction: 'Said by a file of corrections',
      id: 'By a number: tax number, legal entity identifier, RSSD ID',
      exact: 'By name, city and state as they are written',
      normalised: 'By name, city and state without what charters and spelling add',
      similar: 'By a name that is nearly the same, in the same place',
      name: 'By name alone, where nobody else has it or all others are much smaller',
    },
  },
]

const by = (datasets: readonly string[], columns: readonly string[], place: string) =>
  Object.fromEntries(
    datasets.flatMap((dataset) => columns.map((column) => [`${dataset}.${column}`, place] as const)),
  )

/** Codes of columns that are explained beside them, or words of the SEC. */
export const secNamedElsewhere: Readonly<Record<string, string>> = {
  ...by(
    [
      ...['sec-filings', 'sec-filing', 'sec-filing-feed', 'sec-events', 'sec-event-feed', 'sec-restatements'],
      ...[
        'sec-auditor-changes',
        'sec-officer-changes',
        'sec-mergers',
        'sec-late-filings',
        'sec-filing-activity',
      ],
    ],
    ['form'],
    ownWords,
  ),
  sic: 'the column sic_description',
  ...by(
    ['sec-registrants', 'sec-registrant'],
    ['sic_description', 'category', 'entity_type', 'fiscal_year_end', 'state_of_incorporation'],
    ownWords,
  ),
}
