import { code, figure, reportDate, rssdId, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, window } from '../../catalog/parameters.ts'
import { ubprHeadline } from '../../catalog/parts/ubpr-headline.ts'

const { quarters } = window({ most: 8, default: 8 })

export default dataset({
  key: 'bank-ubpr-ratios',
  summary:
    'The summary ratios of the Uniform Bank Performance Report, a row a quarter, at most the recent eight, oldest first.',
  notes:
    'Computed from the Call Report by the formulas of the UBPR User’s Guide where one is loaded, else those of them that the metric catalog has: `formulas` says which, and a ratio that has none is null. TE: tax-equivalent.',
  from: `SELECT r.rssd_id AS rssd_id, r.report_date AS report_date, toString(r.peer_group) AS group_key, r.values AS values,
  p.banks AS banks,
  (SELECT arrayMap(x -> x.2, arraySort(groupArray((position, code)))) FROM ubpr_concepts WHERE position > 0) AS codes,
  assumeNotNull((SELECT if(any(origin) = 'catalog', 'metric catalog', concat('UBPR guide ', maxIf(edition, origin = 'guide'))) FROM ubpr_concepts WHERE position > 0)) AS formulas
FROM (SELECT * FROM ubpr_rows WHERE rssd_id = {rssd_id:UInt32}) AS r
LEFT JOIN ubpr_peers AS p ON p.report_date = r.report_date AND p.peer_group = r.peer_group`,
  grain: ['rssd_id', 'report_date'],
  order: ['report_date'],
  parameters: { rssd_id: bank(), quarters },
  columns: [
    rssdId,
    reportDate,
    ...ubprHeadline.map(([name, label, unit]) =>
      figure(name, label, {
        unit,
        sql: `values[if(has(codes, '${name}'), indexOf(codes, '${name}'), 65535)]`,
      }),
    ),
    code('peer_group', 'Peer group', {
      nullable: true,
      doc: 'Key of the UBPR peer group in that quarter.',
      sql: "nullIf(group_key, '')",
    }),
    smallCount('peer_count', 'Banks in the peer group', { sql: 'banks' }),
    text('formulas', 'Formulas', {
      doc: 'Where the formulas are from: an edition of the guide, or the metric catalog.',
    }),
  ],
  sources: ['ffiec-call-report', 'ubpr-formulas'],
  examples: [
    { title: 'Two years of the summary ratios', expect: { least: 1 } },
    {
      title: 'Earnings and asset quality of the latest four quarters',
      query: 'quarters=4&fields=report_date,UBPRE013,UBPR7414',
      expect: { rows: 4, columns: ['report_date', 'UBPRE013', 'UBPR7414'] },
    },
  ],
})
