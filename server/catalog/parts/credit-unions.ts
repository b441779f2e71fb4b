import { creditUnions } from '../../../sql/universes/credit-union/index.ts'
import { city, code, column, flag, id, legalName } from '../columns.ts'
import { type Dataset, dataset } from '../define.ts'
import { asOf, institution, oneOfMany, state, yesNo } from '../parameters.ts'
import { columnsOf, declaredTable } from '../tables.ts'
import { datasetsOf } from './universe-datasets.ts'

const number = id('cu_number', 'Charter number', { doc: 'NCUA charter number.' })
const designated = (name: string, label: string, doc: string) => flag(name, label, { nullable: true, doc })

/** The datasets that every universe has, of credit unions. */
export const ofCreditUnions = datasetsOf({
  universe: creditUnions,
  identity: [
    number,
    legalName,
    city,
    code('state', 'State', { doc: 'USPS code of the head office.' }),
    code('charter_type', 'Charter type', { doc: '1 federal; 2 state, with shares that NCUA insures.' }),
    designated('low_income', 'Low income', 'Designated as one that serves members of low income.'),
    designated('minority', 'Minority', 'A minority depository institution; null before NCUA told.'),
  ],
  filters: {
    state: state('state'),
    charter_type: oneOfMany('charter_type', ['1', '2'], {
      doc: 'Charter type, or several by comma: 1 federal, 2 state.',
    }),
    low_income: yesNo({
      doc: 'Only credit unions that are designated as low income, or only others.',
      where: 'ifNull(low_income, false) = {low_income:Bool}',
    }),
  },
  sources: ['ncua-5300'],
})

/** What only the directory says. */
export const ofDirectory = [
  column('UInt32', 'rssd_id', 'RSSD ID', { nullable: true, doc: 'Federal Reserve identifier.' }),
  column('String', 'field_of_membership', 'Field of membership', {
    doc: "NCUA's code of the type of membership: 00 community, 01 to 05 associations, 06 education, 34 and 36 several occupations, 99 state charters.",
  }),
  column('UInt32', 'year_opened', 'Year opened', { nullable: true }),
  column('String', 'chartered', 'Chartered', { nullable: true, doc: 'Day of the charter, ISO 8601.' }),
  column('UInt32', 'peer_group', 'NCUA peer group', {
    nullable: true,
    doc: '1 to 6 by assets, as NCUA gave it for the quarter.',
  }),
  column('String', 'address', 'Address'),
  column('String', 'zip', 'ZIP code'),
]

/** The places of one credit union, from a list that comes with the 5300: the newest list that is held at the quarter. */
export function placesOf(
  table: 'credit_union_branches' | 'credit_union_atms',
  words: Pick<Dataset, 'key' | 'summary' | 'examples'>,
): Dataset {
  const list = declaredTable(table)
  return dataset({
    ...words,
    notes:
      'Of the quarter that `as_of` asks for, default the latest that the credit union filed; where its list is not held, of the newest before: `report_date` says which. NCUA gives no coordinates and no hours.',
    universe: creditUnions,
    from: table,
    where: () => `report_date = (SELECT max(report_date) FROM ${table} WHERE report_date <= {as_of:Date})`,
    grain: ['report_date', 'cu_number', 'site_id'],
    parameters: {
      cu_number: institution(creditUnions),
      as_of: asOf({ where: null }),
      state: state('state'),
    },
    columns: [number, ...columnsOf(list).filter(({ name }) => name !== 'cu_number')],
    sources: ['ncua-5300'],
  })
}
