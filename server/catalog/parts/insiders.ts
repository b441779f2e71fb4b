/** What datasets of insiders have in common. */
import { quotedList } from '../../../sql/quoted.ts'
import { transactionCodes } from '../../../sql/sources/sec-ownership.ts'
import { code, figure, flag, id, longDate, money, strings, text } from '../columns.ts'
import { oneOfMany, search, timeParameters } from '../parameters.ts'
import { cik, registrantSources } from './sec-registrant.ts'

export const filed = { kind: 'day', column: 'filed_date' } as const

export const insiderSources = ['sec-ownership', ...registrantSources]

export const insiderNote =
  'A Form 4 is of the insiders of its issuer: what a bank files as an owner of another issuer is not among them. An amendment stands for the lines that it repeats. Values are shares at their price: a grant at no price has none.'

/** A number of shares, or of what the form tells in their place. */
export const numberOf = (name: string, label: string, doc?: string) =>
  figure(name, label, { unit: 'count', ...(doc !== undefined && { doc }) })

const meanings = `transform(code, ${quotedList(Object.keys(transactionCodes))}, ${quotedList(Object.values(transactionCodes))}, '')`

export const lineColumns = [
  cik,
  code('issuer', 'Issuer'),
  code('ticker', 'Ticker', { doc: 'As the form has it.' }),
  longDate('filed_date', 'Filed'),
  longDate('date', 'Transaction', { nullable: true }),
  text('accession_number', 'Accession number'),
  code('form', 'Form', { doc: '3, 4 or 5, with /A behind it for an amendment.' }),
  id('line', 'Line', { doc: 'Number among the lines of its kind.' }),
  id('owner_cik', 'CIK of the owner', { sql: 'owner_ciks[1]' }),
  text('owner', 'Owner', { sql: 'owners[1]', doc: 'The first, where several report together.' }),
  strings('owners', 'Owners', { doc: 'All that report it together.' }),
  strings('roles', 'Roles', {
    sql: 'arraySort(arrayDistinct(arrayFlatten(owner_roles)))',
    doc: 'Of all owners: Director, Officer, TenPercentOwner, Other.',
  }),
  text('title', 'Title', {
    nullable: true,
    sql: `nullIf(arrayFirst(one -> one != '', owner_titles), '')`,
    doc: 'Of an officer.',
  }),
  code('security', 'Security'),
  flag('derivative', 'Derivative', {
    doc: 'Such as an option: its shares are those of the derivative itself.',
  }),
  code('code', 'Code', { doc: 'Transaction code of the form.' }),
  text('meaning', 'Meaning of the code', { sql: meanings }),
  code('direction', 'Direction', { doc: 'A acquired, D disposed of.' }),
  numberOf('shares', 'Shares'),
  figure('price', 'Price', { unit: 'US dollars', doc: 'A share.' }),
  money('value', 'Value', { doc: 'Of the shares at their price.' }),
  code('ownership', 'Ownership', { doc: 'D direct, I indirect.' }),
  code('nature', 'Nature of indirect ownership'),
  flag('plan_10b5_1', 'Plan under Rule 10b5-1', {
    nullable: true,
    doc: 'Whether the form says that a transaction was made under such a plan; asked since April 2023.',
  }),
  numberOf('shares_after', 'Shares held after it', 'In the same form of ownership.'),
  money('value_after', 'Value held after it', { doc: 'Where the form tells no shares.' }),
  figure('exercise_price', 'Conversion or exercise price', { unit: 'US dollars' }),
  longDate('exercise_date', 'Exercisable', { nullable: true }),
  longDate('expiration_date', 'Expires', { nullable: true }),
  text('underlying', 'Underlying security', { nullable: true }),
  numberOf('underlying_shares', 'Underlying shares'),
  longDate('original_date', 'Filed first', {
    nullable: true,
    doc: 'Of an amendment: when what it amends was filed.',
  }),
]

/** Which lines of one filing there are, and in which order a reader meets them. */
export const lineGrain = ['accession_number', 'derivative', 'holding', 'line']
export const newestFirst = ['-filed_date', ...lineGrain.map((name) => `-${name}`)]

/** An owner by CIK, or by words of the name. */
const owner = {
  ...search(["arrayStringConcat(arrayConcat(owners, arrayMap(one -> toString(one), owner_ciks)), ' ')"]),
  doc: 'Words that must all occur in the names of the owners, or the CIK of one.',
  example: 'avery',
}

export const lineParameters = {
  ...timeParameters(filed),
  code: oneOfMany('code', Object.keys(transactionCodes), { doc: 'Transaction code, or several by comma.' }),
  owner,
}
