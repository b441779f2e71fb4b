import { variables } from '../../../sql/sources/fdic-variables.ts'
import { cert, figure, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, dateWindow, integer } from '../../catalog/parameters.ts'
import { certificatesOfBank } from '../../catalog/parts/certificates.ts'

/** What an answer has unless `fields` says otherwise; the rest is asked for by name. */
const shown = new Set(
  `ASSET CHBAL SC LNLSGR LNLSNET LNATRES LNRE LNCI LNCON DEP DEPDOM DEPUNA BRO OTHBFHLB LIAB EQ INTINC EINTEXP NIM ELNATR NONII
  NONIX NETINC NTLNLS NCLNLS ROA ROE NIMY INTINCY INTEXPY NONIIAY NONIXAY EEFFR NTLNLSR NCLNLSR LNATRESR LNLSDEPR EQV RBC1AAJ
  IDT1CER IDT1RWAJR RBCRWAJ NUMEMP OFFDOM`.split(/\s+/),
)
const columns = variables.map(({ name, label, unit }) =>
  figure(name, label, { unit, sql: name.toLowerCase(), doc: `The FDIC’s variable ${name}.` }),
)
const mine = `cert IN ${certificatesOfBank}`

export default dataset({
  key: 'bank-fdic-financials',
  summary:
    'A bank’s figures as the FDIC publishes them, by the FDIC’s own variables and titles, newest quarter first.',
  notes: `Values are the FDIC’s, unchanged; those that this service works out itself stand in the other datasets. Amounts are thousands of US dollars, income is year to date, rates are annualised by the FDIC. \`fields\` may name any of ${variables.length} variables; null where the FDIC gives none, or the loaded file has no such column.`,
  from: `SELECT *, {rssd_id:UInt32} AS rssd_id FROM fdic_financials WHERE ${mine}`,
  time: { kind: 'day', column: 'report_date' },
  grain: ['report_date', 'cert'],
  order: ['-report_date'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    ...dateWindow('report_date'),
    quarters: {
      ...integer({ doc: 'The latest so many quarters that the FDIC has of the bank.', min: 1, max: 1000 }),
      where: `report_date IN (SELECT report_date FROM fdic_financials WHERE ${mine} ORDER BY report_date DESC LIMIT {quarters:UInt32})`,
    },
  },
  columns: [rssdId, cert, reportDate, ...columns.filter(({ name }) => shown.has(name))],
  further: columns.filter(({ name }) => !shown.has(name)),
  sources: ['fdic-financials'],
  examples: [
    { title: 'Every quarter', expect: { least: 1 } },
    {
      title: 'Variables by name',
      query: 'quarters=1&fields=report_date,ASSET,ROA,LNRECONS',
      expect: { rows: 1, columns: ['report_date', 'ASSET', 'ROA', 'LNRECONS'] },
    },
  ],
})
