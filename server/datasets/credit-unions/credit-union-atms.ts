import { placesOf } from '../../catalog/parts/credit-unions.ts'

export default placesOf('credit_union_atms', {
  key: 'credit-union-atms',
  summary: "The automated teller machines of one credit union with address, by NCUA's number of the site.",
  examples: [{ title: 'All of them', expect: { least: 1 } }],
})
