/** What is asked of the families, another request each time by another institution, page or choice. */
import type { Rows } from '../question.ts'
import type { Universe } from '../universe.ts'
import type { Workload } from '../workload.ts'
import { concepts, type Families, type FamilyTable, families } from './families.ts'

const familiesOf = (universe: Universe): Families => {
  if (!universe.families) throw new Error('the families were not collected')
  return universe.families
}

/** Rows of a table of a family, all columns that the peers have. */
const rows = (table: FamilyTable, asked: Omit<Rows, 'kind' | 'table' | 'columns'>): Rows => ({
  ...{ kind: 'rows', table, columns: families[table].columns },
  ...asked,
})
const fieldsOf = (table: FamilyTable): string => `fields=${families[table].columns.join(',')}`

/** Pairs of concepts, each another one. */
const pairs = concepts.flatMap((one, at) => concepts.slice(at + 1).map((other) => [one, other] as const))

/** What the list of watched banks shows beside their names, in any order: another order is another request. */
const watchedColumns = ['city', 'total_assets', 'total_loans', 'total_deposits', 'roa', 'nim']
function permutation<T>(list: readonly T[], nth: number): T[] {
  const left = [...list]
  const found: T[] = []
  for (let rest = nth; left.length > 0; rest = Math.floor(rest / (left.length + 1)))
    found.push(...left.splice(rest % left.length, 1))
  return found
}

const asked = { formats: ['json'], seen: 20, ofFamily: true } as const

export const familyWorkloads: readonly Workload[] = [
  {
    ...asked,
    key: 'U',
    title: 'snapshot of one credit union, all metrics',
    ask(universe, i) {
      const cu_number = familiesOf(universe).unions[i]!
      return rows('unions', { where: { cu_number }, order: ['cu_number'], path: `/cus/${cu_number}/?` })
    },
    most: (universe) => familiesOf(universe).unions.length,
  },
  {
    ...asked,
    key: 'B',
    title: 'offices of one bank with coordinates',
    ask(universe, i) {
      const rssd_id = familiesOf(universe).branches[i]!
      const path = `/banks/${rssd_id}/branches/map/?${fieldsOf('branches')}&sort=branch_number`
      return rows('branches', { where: { rssd_id }, order: ['branch_number'], path })
    },
    most: (universe) => familiesOf(universe).branches.length,
  },
  {
    ...asked,
    key: 'C',
    title: 'a page of 10 complaints, by cursor',
    ask(universe, i) {
      const { bank: rssd_id, cursor, after } = familiesOf(universe).complaints[i]!
      const path = `/banks/${rssd_id}/complaints/?${fieldsOf('complaints')}&limit=10&cursor=${encodeURIComponent(cursor)}`
      const order = ['-received_date', 'complaint_id']
      return rows('complaints', { where: { rssd_id }, order, after, limit: 10, path })
    },
    most: (universe) => familiesOf(universe).complaints.length,
  },
  {
    ...asked,
    key: 'F',
    title: 'the newest 50 XBRL facts of two concepts of one registrant',
    ask(universe, i) {
      const { facts } = familiesOf(universe)
      const rssd_id = facts[i % facts.length]!
      const concept = pairs[Math.floor(i / facts.length)]!
      const path = `/banks/${rssd_id}/sec/facts/?${fieldsOf('facts')}&concept=${concept}&limit=50`
      const order = ['-filed_date', '-accession_number', 'concept', '-end_date', 'cik', 'taxonomy', 'unit']
      return rows('facts', {
        where: { rssd_id, concept },
        order: [...order, 'days', 'value'],
        limit: 50,
        path,
      })
    },
    most: (universe) => familiesOf(universe).facts.length * pairs.length,
  },
  {
    ...asked,
    key: 'R',
    title: 'what the failure score of one bank is made of',
    ask(universe, i) {
      const rssd_id = familiesOf(universe).factors[i]!
      const path = `/banks/${rssd_id}/failure-prediction/factors/?${fieldsOf('factors')}&sort=factor_rank`
      return rows('factors', { where: { rssd_id }, order: ['factor_rank'], path })
    },
    most: (universe) => familiesOf(universe).factors.length,
  },
  {
    ...asked,
    key: 'L',
    title: 'a list of 1,000 watched banks, 8 columns',
    ask(universe, i) {
      const columns = ['rssd_id', 'legal_name', ...permutation(watchedColumns, i)]
      const where = { rssd_id: familiesOf(universe).watched }
      const path = `/watchlist/?fields=${columns}`
      return { kind: 'rows', table: 'latest', columns, where, order: ['legal_name', 'rssd_id'], path }
    },
    most: () => 720,
  },
]
