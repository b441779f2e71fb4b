import { ofCreditUnions } from '../../catalog/parts/credit-unions.ts'

export default ofCreditUnions.snapshot({
  key: 'credit-union-snapshot',
  summary:
    'One credit union in its latest filed quarter, or in the one asked for: identity and every metric.',
  notes:
    "Definitions are those of NCUA's Financial Performance Report. An average is of the balance and that of the year-end before; where that is not held, of the balance alone.",
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Capital at the latest quarter',
      query: 'fields=cu_number,report_date,net_worth,net_worth_ratio,pca_category',
      expect: {
        rows: 1,
        columns: ['cu_number', 'report_date', 'net_worth', 'net_worth_ratio', 'pca_category'],
      },
    },
  ],
})
