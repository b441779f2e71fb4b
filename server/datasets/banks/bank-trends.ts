import { metricColumns, reportDate, rssdId } from '../columns.ts'
import { dataset } from '../define.ts'
import { bank, metricList, window } from '../parameters.ts'

export default dataset({
  key: 'bank-trends',
  summary: 'Quarterly series of the key metrics of one bank, oldest first.',
  from: 'bank_rows',
  grain: ['rssd_id', 'report_date'],
  order: ['report_date'],
  parameters: { rssd_id: bank(), ...window(), metrics: metricList() },
  columns: [rssdId, reportDate, metricColumns('headline')],
  sources: ['ffiec-call-report'],
  examples: [
    {
      title: 'Two years of return on assets and net interest margin',
      query: 'quarters=8&metrics=roa,nim',
      expect: { rows: 8, columns: ['rssd_id', 'report_date', 'roa', 'nim'] },
    },
    { title: 'Everything since 2017', query: 'from=2017Q1', expect: { least: 1 } },
  ],
})
