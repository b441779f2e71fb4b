import { REGISTRANT_DIRECTORY } from '../../../sql/registrants/index.ts'
import { column, id } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { anyOf, search, state } from '../../catalog/parameters.ts'
import { registrantSources, registrants } from '../../catalog/parts/sec-registrant.ts'
import { columnsOf } from '../../catalog/tables.ts'

export default dataset({
  key: 'sec-registrants',
  summary: 'Banks and holders of banks that file with the SEC, by name, with the RSSD ID of each.',
  notes:
    'Registrants whose industry is banking (SIC 6021, 6022, 6029, 6035, 6036, 6099, 6111, 6712), and others that are known to be or to hold a bank. The institution is found by tax number or LEI, else by name and place; it is null where that is not certain.',
  from: REGISTRANT_DIRECTORY,
  time: registrants.time,
  grain: ['cik'],
  order: ['name'],
  parameters: {
    q: search([
      'name',
      "arrayStringConcat(tickers, ' ')",
      "arrayStringConcat(arrayMap(one -> one.1, former_names), ' ')",
    ]),
    ticker: {
      ...anyOf('tickers', {
        doc: 'Ticker, or several by comma.',
        pattern: /^[A-Za-z0-9.-]{1,12}$/,
        form: 'letters, digits, “-” and “.”',
        upper: true,
        example: 'JPM',
      }),
      where: 'hasAny(tickers, {ticker:Array(String)})',
    },
    state: state('state'),
  },
  limit: { default: 100, most: 10_000 },
  columns: [
    ...columnsOf(registrants, [
      'cik',
      'name',
      'tickers',
      'exchanges',
      'sic',
      'sic_description',
      'category',
      'state_of_incorporation',
      'city',
      'state',
    ]),
    id('rssd_id', 'RSSD ID', {
      sql: 'institution',
      nullable: true,
      doc: 'Of the bank or the holding company that the registrant is; null where that is not certain.',
    }),
    column('Array(UInt32)', 'bank_rssd_ids', 'Banks', {
      sql: 'banks',
      doc: 'RSSD IDs of the banks that it is or holds.',
    }),
  ],
  sources: ['sec-tickers', ...registrantSources],
  examples: [
    { title: 'Registrants by name', query: 'limit=10', expect: { rows: 10 } },
    { title: 'Those of New York', query: 'state=NY' },
    { title: 'By a word of the name', query: 'q=bancorp' },
  ],
})
