import { day, integer, ref } from './columns.ts'
import { source } from './declare.ts'
import { fromNic } from './nic.ts'

const institution = (headings: string, label: string) => ref('institution', headings, { label })

export default source({
  key: 'nic-transformations',
  name: 'NIC transformations',
  what: 'What became of each institution: mergers, failures, splits and other changes with their day.',
  ...fromNic('nic-transformations', { TRANSFORMATIONS: 'Transformation' }),
  tables: {
    transformations: {
      doc: 'An institution that became, or became part of, another one.',
      columns: {
        predecessor_rssd_id: institution('#ID_RSSD_PREDECESSOR', 'Predecessor'),
        successor_rssd_id: institution('ID_RSSD_SUCCESSOR', 'Successor'),
        date: day('DT_TRANS', { label: 'Date' }),
        kind: integer('TRNSFM_CD', { label: 'Transformation code' }),
        accounting_method: integer('ACCT_METHOD', { label: 'Accounting method code' }),
      },
      unique: ['predecessor_rssd_id', 'successor_rssd_id', 'date', 'kind'],
      edition: { replaces: 'all', newest: 'date', shrink: 0.9 },
      time: { kind: 'day', column: 'date' },
      // 1: a charter that ended in a merger; 50: a failure
      demo: `
        SELECT b.rssd_id AS predecessor_rssd_id, tupleElement(t.buyer, 1) AS successor_rssd_id,
          makeDate32(intDiv(b.close_q + 1, 4), (b.close_q + 1) % 4 * 3 + 1 + b.h % 3, 1 + intDiv(b.h, 7) % 28) AS date,
          toInt64(if(b.exit = 'failure', 50, 1)) AS kind, toInt64(0) AS accounting_method
        FROM demo_takeovers AS t INNER JOIN demo_banks AS b ON b.i = t.target`,
    },
  },
})
