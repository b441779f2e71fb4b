/** Codes of insiders' forms, Form 13F and Schedules 13D and 13G. */
import { transactionCodes } from '../../../sql/sources/sec-ownership.ts'
import type { CodeList } from './agency-codes.ts'
import { ownWords } from './own-words.ts'

const insiders = ['sec-insider-transactions', 'sec-insider-feed']
const ofInsiders = (name: string) => insiders.map((dataset) => `${dataset}.${name}`)

export const insiderCodes: readonly CodeList[] = [
  {
    list: 'insider-transaction',
    source: 'SEC, general instructions of Forms 4 and 5',
    columns: ofInsiders('code'),
    codes: { ...transactionCodes, '': 'A holding without a transaction' },
  },
  {
    list: 'insider-direction',
    source: 'SEC Forms 4 and 5',
    columns: ofInsiders('direction'),
    codes: { A: 'Acquired', D: 'Disposed of', '': 'A holding without a transaction' },
  },
  {
    list: 'insider-ownership',
    source: 'SEC Forms 3, 4 and 5',
    columns: ofInsiders('ownership'),
    codes: { D: 'Direct', I: 'Indirect', '': 'Not told' },
  },
  {
    list: 'insider-form',
    source: 'SEC',
    columns: ofInsiders('form'),
    codes: {
      3: 'Initial statement of beneficial ownership',
      '3/A': 'Amendment of a Form 3',
      4: 'Changes in beneficial ownership',
      '4/A': 'Amendment of a Form 4',
      5: 'Annual statement of changes in beneficial ownership',
      '5/A': 'Amendment of a Form 5',
    },
  },
  {
    list: 'beneficial-ownership-form',
    source: 'SEC',
    columns: ['sec-ownership.form'],
    codes: {
      'SC 13D':
        'Schedule 13D: more than five percent, with intent to influence control or without an exemption',
      'SC 13D/A': 'Amendment of a Schedule 13D',
      'SC 13G': 'Schedule 13G: more than five percent, held passively',
      'SC 13G/A': 'Amendment of a Schedule 13G',
    },
  },
  {
    list: '13f-form',
    source: 'SEC',
    columns: ['sec-institutional-holders.form'],
    codes: { '13F-HR': 'Report of holdings', '13F-HR/A': 'Amendment of a report of holdings' },
  },
  {
    list: '13f-amount-type',
    source: 'SEC Form 13F',
    columns: ['sec-institutional-holders.amount_type'],
    codes: { SH: 'Shares', PRN: 'Principal amount in dollars' },
  },
  {
    list: '13f-option',
    source: 'SEC Form 13F',
    columns: ['sec-institutional-holders.option'],
    codes: {
      PUT: 'Put option on the security',
      CALL: 'Call option on the security',
      '': 'The security itself',
    },
  },
  {
    list: '13f-discretion',
    source: 'SEC Form 13F',
    columns: ['sec-institutional-holders.discretion'],
    codes: {
      SOLE: 'The manager alone',
      DFND: 'Shared with another as the form defines it',
      OTR: 'Shared otherwise',
      OTHER: 'Shared otherwise',
      '': 'Not told',
    },
  },
]

/** Columns that have words of the forms. */
export const insidersNamedElsewhere: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['issuer', 'ticker', 'security', 'nature'].flatMap(ofInsiders),
    ...['sec-insiders.security', 'sec-ownership.citizenship'],
  ].map((column) => [column, ownWords]),
)
