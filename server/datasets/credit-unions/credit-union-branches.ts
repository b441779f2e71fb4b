import { placesOf } from '../../catalog/parts/credit-unions.ts'

export default placesOf('credit_union_branches', {
  key: 'credit-union-branches',
  summary: "The offices of one credit union with address, type and telephone, by NCUA's number of the site.",
  examples: [{ title: 'All of them', expect: { least: 1 } }],
})
