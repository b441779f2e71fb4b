import { code, day, decimal, integer, optional, orNull, ref, small } from './columns.ts'
import { source } from './declare.ts'
import { fromNic, notApplicable, since, until } from './nic.ts'

const basis = (heading: string, label: string, doc: string) => optional(small(heading, { label, doc }))
const share = (heading: string, label: string, doc: string) =>
  optional(decimal(heading, { label, doc, unit: 'percent' }))

/**
 * A bank of the demo with its holding company: mostly held whole; the first forty companies have another between, which
 * holds all, or four fifths where the first holds the rest itself; some share a bank with a stranger.
 */
const demoEdges = `
    SELECT bank, holder, n, since, ended, arrayJoin(multiIf(
        n < 40 AND h % 4 = 0, [(96000000 + n, bank, 80.), (holder, bank, 20.)],
        n < 40, [(96000000 + n, bank, 100.)],
        h % 20 = 3, [(holder, bank, 87.5), (95000000 + (n + 1) % 600, bank, 8.25)],
        [(holder, bank, 100.)])) AS edge
    FROM (SELECT rssd_id AS bank, assumeNotNull(holding_company_rssd_id) AS holder, holder - 95000000 AS n, h, established_date AS since,
        if(closed, makeDate32(intDiv(close_q + 1, 4), (close_q + 1) % 4 * 3 + 1 + h % 3, 1 + intDiv(h, 7) % 28) - 1, NULL) AS ended
      FROM demo_banks WHERE holding_company_rssd_id IS NOT NULL)
    UNION ALL
    SELECT 0, holder, n, since, NULL, arrayJoin(multiIf(
        n < 40, [(holder, 96000000 + n, 100.), (holder, 97000000 + n * 10 + 1, 100.), (96000000 + n, 97000000 + n * 10 + 2, 100.), (holder, 97000000 + n * 10 + 3, if(n % 2 = 0, 50., 100.))],
        n % 10 = 0, [(holder, 97000000 + n * 10 + 1, 100.)], [])) AS edge
    FROM (SELECT assumeNotNull(holding_company_rssd_id) AS holder, holder - 95000000 AS n, min(established_date) AS since
      FROM demo_banks WHERE holding_company_rssd_id IS NOT NULL GROUP BY holder)`

export default source({
  key: 'nic-relationships',
  name: 'NIC relationships',
  what: 'Who owns or controls whom, how much of it, and from when to when.',
  ...fromNic('nic-relationships', { RELATIONSHIPS: 'Relationships' }),
  tables: {
    nic_relationships: {
      doc: 'What one institution held of another, from a day to a day.',
      absent: notApplicable,
      columns: {
        parent_rssd_id: ref('institution', '#ID_RSSD_PARENT', { label: 'Parent' }),
        offspring_rssd_id: ref('institution', 'ID_RSSD_OFFSPRING', { label: 'Offspring' }),
        start_date: since,
        end_date: until,
        level: small('RELN_LVL', {
          label: 'Level',
          doc: '1: held directly; 2: through companies between; 3: by officers in common (until 1996); 4: for debt.',
        }),
        controlled: basis('CTRL_IND', 'Control', '1: the parent controls it; 2: it does not.'),
        regulated: basis('REG_IND', 'Regulated', '1: banking law governs the relationship; 2: it does not.'),
        equity_basis: basis(
          'EQUITY_IND',
          'Equity',
          '1: the share is exact; 2: it is the lower end of a bracket; null: control does not rest on votes.',
        ),
        other_basis: basis(
          'OTHER_BASIS_IND',
          'Other basis',
          '1: other than votes, 2: non-voting equity, 5: limited partnership, and others.',
        ),
        percent_equity: share(
          'PCT_EQUITY',
          'Voting shares held',
          'Null where control does not rest on them.',
        ),
        percent_bracket: optional(code('PCT_EQUITY_BRACKET', { label: 'Bracket', doc: 'As “>50 - <80”.' })),
        percent_other: share(
          'PCT_OTHER',
          'Other shares held',
          'Non-voting, or of a merchant banking investment.',
        ),
        established_date: orNull(day('DT_RELN_EST', { label: 'Established' })),
        created_why: basis(
          'REASON_ROW_CRTD',
          'Why the row begins',
          '1: first; 2: the share changed; 3: again; 4, 7: another basis; 5: control changed; 6: regulation changed.',
        ),
        ended_why: basis(
          'REASON_TERM_RELN',
          'Why the relationship ended',
          '1, 2: sold or transferred; 3: the offspring was liquidated or merged; 4 to 6: no longer regulated.',
        ),
        consolidated: basis('FC_IND', 'Consolidated', '1: in the statements of a bank; 2: not.'),
        regulation_k: basis(
          'REGK_INV',
          'Regulation K',
          '1: portfolio investment; 2: joint venture; 3: subsidiary.',
        ),
        merchant_banking_cost: optional(
          integer('MB_COST', { label: 'Merchant banking investment', unit: 'millions of US dollars' }),
        ),
      },
      unique: ['parent_rssd_id', 'offspring_rssd_id', 'start_date', 'level'],
      edition: { replaces: 'all', newest: 'start_date', shrink: 0.9 },
      time: { kind: 'valid', from: 'start_date', to: 'end_date' },
      demo: `
        SELECT edge.1 AS parent_rssd_id, edge.2 AS offspring_rssd_id, edge.3 AS percent_equity, since AS start_date, ended AS end_date, 1 AS level,
          if(percent_equity < 25, 2, 1) AS controlled, 1 AS regulated, 1 AS equity_basis, NULL AS other_basis,
          multiIf(percent_equity = 100, '100', percent_equity >= 80, '80 - <100', percent_equity > 50, '>50 - <80', percent_equity >= 25, '25 - 50', '< 25') AS percent_bracket,
          NULL AS percent_other, since AS established_date, 1 AS created_why, if(ended IS NULL, NULL, 3) AS ended_why, NULL AS consolidated,
          NULL AS regulation_k, NULL AS merchant_banking_cost
        FROM (${demoEdges})`,
    },
  },
})
