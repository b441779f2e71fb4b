import { INSTITUTIONAL_HOLDINGS } from '../../../sql/insiders/index.ts'
import { parseQuarter, quarterEnd, quarterPattern } from '../../../sql/quarter.ts'
import { code, id, longDate, money, over, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { InvalidValue } from '../../catalog/invalid-value.ts'
import type { Parameter } from '../../catalog/parameters.ts'
import { numberOf } from '../../catalog/parts/insiders.ts'
import {
  askedRssdId,
  bankOfRegistrant,
  cik,
  registrantNote,
  registrantSources,
} from '../../catalog/parts/sec-registrant.ts'

const period: Parameter<string> = {
  doc: 'The quarter that the positions are of, as 2026Q1 or 2026-03-31. Default: all, the newest first.',
  schema: { type: 'string', pattern: `^${quarterPattern}$` },
  parse(text) {
    const quarter = parseQuarter(text)
    if (quarter === undefined)
      throw new InvalidValue('not a quarter', 'a quarter like 2026Q1 or its last day like 2026-03-31')
    return quarterEnd(quarter)
  },
  where: { column: 'period', operator: '=', type: 'Date32' },
}

export default dataset({
  key: 'sec-institutional-holders',
  summary:
    'Positions of institutional managers in the securities of a bank’s registrant by Form 13F, the newest quarter and the largest first.',
  notes: `${registrantNote} Securities are the registrant’s by their CUSIP where a Schedule 13D or 13G tells it, else by the name of the issuer; those of whom that is not certain are left out, and \`corrections\` may say. Amendments that restate a report replace it. What was filed before 2023-01-03 has values in thousands of dollars, later ones in dollars: all are thousands here. Managers with less than 100 million dollars do not report, and several may report one position. Puts and calls are valued by the shares that they are on.`,
  from: INSTITUTIONAL_HOLDINGS,
  time: { kind: 'none' },
  grain: ['accession_number', 'line'],
  order: ['-period', '-value'],
  parameters: { rssd_id: bankOfRegistrant(), period },
  limit: { default: 100, most: 10_000 },
  columns: [
    askedRssdId,
    cik,
    longDate('period', 'Period'),
    id('manager_cik', 'CIK of the manager'),
    text('manager', 'Manager'),
    text('cusip', 'CUSIP'),
    text('class', 'Class'),
    over(numberOf('amount', 'Shares or principal'), { nullable: false }),
    code('amount_type', 'Kind of amount', { doc: 'SH shares, PRN principal.' }),
    code('option', 'Option', { doc: 'PUT or CALL; blank for the security itself.' }),
    money('value', 'Value', { nullable: false }),
    code('discretion', 'Investment discretion'),
    numberOf('voting_sole', 'Sole voting authority'),
    numberOf('voting_shared', 'Shared voting authority'),
    numberOf('voting_none', 'No voting authority'),
    longDate('filed_date', 'Filed'),
    code('form', 'Form'),
    text('accession_number', 'Accession number'),
    id('line', 'Line'),
  ],
  sources: ['sec-13f', 'sec-13dg', ...registrantSources],
  examples: [
    { title: 'The largest positions', query: 'limit=10' },
    { title: 'Those of a quarter', query: 'period=2026Q1&limit=10' },
  ],
})
