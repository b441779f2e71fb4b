import { over, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, yesNo } from '../../catalog/parameters.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const branches = declaredTable('nic_branches')
const columns = columnsOf(branches).filter(({ name }) => !['rssd_id', 'head_office_rssd_id'].includes(name))

export default dataset({
  key: 'bank-branches-nic',
  summary: 'Branches of a bank in the Federal Reserve’s structure data, by RSSD ID.',
  notes:
    'A branch has an RSSD ID of its own. It is listed with the bank that is its head office now, or was at its end; `end_date` is null while it is open.',
  from: `SELECT * EXCEPT (rssd_id, head_office_rssd_id), head_office_rssd_id AS rssd_id, b.rssd_id AS branch_rssd_id FROM ${branches.name} AS b WHERE head_office_rssd_id = {rssd_id:UInt32}`,
  time: branches.time,
  grain: ['branch_rssd_id'],
  order: ['branch_rssd_id'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    active: yesNo({
      doc: '1: open still; 0: closed. Default: all.',
      where: '(end_date IS NULL) = {active:Bool}',
    }),
  },
  columns: [
    over(rssdId, { doc: 'Federal Reserve identifier of the bank.' }),
    over(rssdId, {
      name: 'branch_rssd_id',
      label: 'Branch RSSD ID',
      doc: 'Federal Reserve identifier of the branch.',
    }),
    ...columns,
  ],
  sources: ['nic-attributes'],
  examples: [
    { title: 'Open branches', query: 'active=1', expect: { least: 1 } },
    {
      title: 'Every branch there was, with its days',
      query: 'fields=branch_rssd_id,legal_name,city,state,opened_date,end_date',
    },
  ],
})
