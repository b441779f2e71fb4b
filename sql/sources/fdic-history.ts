import {
  code,
  computed,
  day,
  from1900,
  hidden,
  optional,
  orBlank,
  orNull,
  ref,
  type Said,
  type SourceColumn,
  small,
  upper,
  whole,
  words,
} from './columns.ts'
import { csv, json, source } from './declare.ts'
import { bankFind, bankFindBase } from './fetch.ts'

const cert = (heading: string) => optional(ref('certificate', heading, { absent: ['0'] }))
const blank = (heading: string) => orBlank(words(heading))

/** Of a merger the plain columns are the survivor's, also in the row of the institution that ended: its own are OUT_*. */
const whose = <N extends string>(name: N, heading: string, said: Said) => {
  const out = `if(cert = out_cert AND out_${name} != '', out_${name}, own_${name})`
  return {
    [`own_${name}`]: hidden(blank(heading)),
    [`out_${name}`]: hidden(blank(`OUT_${heading}`)),
    [name]: computed('String', out, said),
  } as Record<N, SourceColumn>
}

const columns = {
  id: words('ID', { label: 'Event', doc: 'As FDIC names it.' }),
  transaction: optional(
    whole('TRANSNUM', {
      label: 'Transaction',
      doc: 'Shared by the events of one transaction.',
      absent: ['0'],
    }),
  ),
  cert: ref('certificate', 'CERT', { label: 'FDIC certificate' }),
  effective_date: from1900(day('EFFDATE', { label: 'Effective', doc: '1900-01-01 for what is older.' })),
  ended_date: orNull(day('ENDDATE', { label: 'Ended' })),
  processed_date: orNull(day('PROCDATE', { label: 'Processed', doc: 'When FDIC wrote it down.' })),
  change_code: whole('CHANGECODE', { label: 'Change code' }),
  change: orBlank({
    ...words('CHANGECODE_DESC', { label: 'Change', doc: 'In FDIC’s words.' }),
    take: (text) => `upper(${text})`,
  }),
  role: optional(
    upper(code('ORG_ROLE_CDE', { label: 'Role', doc: 'FI: of the institution; BR: of a branch.' })),
  ),
  ...whose('name', 'INSTNAME', { label: 'Institution' }),
  ...whose('class', 'CLASS', { label: 'Charter class' }),
  ...whose('regulator', 'REGAGENT', { label: 'Regulator' }),
  ...whose('city', 'PCITY', { label: 'City' }),
  ...whose('state', 'PSTALP', { label: 'State' }),
  office_number: optional(whole('OFF_NUM', { label: 'Office number', absent: ['N', 'Y'] })),
  office_uninum: optional(
    whole('UNINUM', { label: 'FDIC number of the office or institution', absent: ['0'] }),
  ),
  office_name: blank('OFF_NAME'),
  office_address: blank('OFF_PADDR'),
  office_city: blank('OFF_PCITY'),
  office_state: optional(upper(words('OFF_PSTALP', { label: 'State of the office' }))),
  service_type: optional(small('OFF_SERVTYPE | SERVTYPE', { label: 'Service type', absent: ['0'] })),
  former_cert: cert('FRM_CERT'),
  former_name: blank('FRM_INSTNAME'),
  former_class: optional(upper(words('FRM_CLASS', { label: 'Former charter class' }))),
  former_city: blank('FRM_PCITY'),
  former_state: optional(upper(words('FRM_PSTALP', { label: 'Former state' }))),
  out_cert: cert('OUT_CERT'),
  acquirer_cert: cert('ACQ_CERT'),
  acquirer_name: blank('ACQ_INSTNAME'),
  survivor_cert: cert('SUR_CERT'),
  survivor_name: blank('SUR_INSTNAME'),
} as const

/** What the API calls them. */
const fields = Object.values(columns).flatMap(({ headings }) => headings)

/** Closed banks of the demo, what became of them, and on what day. */
const demoEnds = `
    SELECT *, makeDate32(intDiv(close_q + 1, 4), (close_q + 1) % 4 * 3 + 1 + h % 3, 1 + intDiv(h, 7) % 28) AS closed_on
    FROM (SELECT i, h, cert AS own_cert, legal_name, charter_class, regulator AS own_regulator, city AS own_city, state AS own_state, exit, close_q FROM demo_banks WHERE closed) AS b
    LEFT JOIN (SELECT target, tupleElement(buyer, 1) AS bought_by FROM demo_takeovers) AS t ON t.target = b.i
    LEFT JOIN (SELECT rssd_id AS buyer, cert AS buyer_cert, legal_name AS buyer_name, charter_class AS buyer_class, regulator AS buyer_regulator,
      city AS buyer_city, state AS buyer_state FROM demo_banks) AS a ON a.buyer = t.bought_by`

export default source({
  key: 'fdic-history',
  name: 'FDIC structure changes',
  publisher: 'Federal Deposit Insurance Corporation, BankFind Suite',
  licence: 'Public domain (work of the United States government)',
  address: 'https://api.fdic.gov/banks/history',
  what: 'What happened to each insured institution and its offices since 1934: openings, closings, mergers, failures, moves, changes of name and charter.',
  fetch: {
    base: bankFindBase,
    addresses: () => [bankFind('history', { fields, sort: 'ID' })],
  },
  tables: {
    fdic_history: {
      doc: 'A change of an institution or of one of its offices.',
      columns,
      unique: ['id'],
      order: ['cert', 'effective_date', 'id'],
      edition: { replaces: 'upsert' },
      time: { kind: 'day', column: 'effective_date' },
      link: {
        ...{
          entity: 'bank',
          own: `concat(toString(cert), ' ', name)`,
          certificate: 'cert',
          name: 'name',
          city: 'city',
        },
        // after the end of an institution FDIC may still move and rename its offices
        ...{ state: 'state', ended: `if(change_code BETWEEN 211 AND 260, effective_date, NULL)` },
      },
      form: [json('data[].data'), csv()],
      demo: `
        SELECT concat(toString(cert), '_', toString(change_code), '_', toString(n)) AS id, toUInt32(1 + cityHash64(whose, effective_date) % 899999999) AS transaction, cert,
          effective_date, NULL AS ended_date, effective_date + 20 AS processed_date, change_code,
          transform(change_code, [110, 211, 223, 230, 711, 721, 810, 811], ['NEW INSTITUTION', 'FAILURE - WHOLE INSTITUTION', 'MERGER - WITHOUT ASSISTANCE', 'FINANCIAL DIFFICULTY - PAYOFF', 'BRANCH OPENING', 'BRANCH CLOSING', 'PARTICIPATED IN ABSORBTION/CONSOLIDATION/MERGER', 'FDIC ASSISTED MERGER'], '') AS change,
          if(n > 0, 'BR', 'FI') AS role, name, class, regulator, city, state, if(n > 0, n, NULL) AS office_number, NULL AS office_uninum,
          if(n > 0, concat(city, ' BRANCH ', toString(n)), '') AS office_name, '' AS office_address, if(n > 0, city, '') AS office_city, if(n > 0, state, NULL) AS office_state, if(n > 0, 11, NULL) AS service_type,
          NULL AS former_cert, '' AS former_name, NULL AS former_class, '' AS former_city, NULL AS former_state,
          if(whose > 0, whose, NULL) AS out_cert, if(taken_by > 0, taken_by, NULL) AS acquirer_cert, buyer_name AS acquirer_name, acquirer_cert AS survivor_cert, buyer_name AS survivor_name
        FROM (
          SELECT if(side = 0, own_cert, buyer_cert) AS cert, own_cert AS whose, toUInt32(multiIf(exit = 'merger', [223, 810], buyer_cert > 0, [211, 811], [230, 230])[side + 1]) AS change_code,
            closed_on AS effective_date, if(side = 0, 0, -toInt64(own_cert)) AS n, upper(if(side = 0, legal_name, buyer_name)) AS name, if(side = 0, charter_class, buyer_class) AS class,
            if(side = 0, own_regulator, buyer_regulator) AS regulator, upper(if(side = 0, own_city, buyer_city)) AS city, if(side = 0, own_state, buyer_state) AS state, buyer_cert AS taken_by, upper(buyer_name) AS buyer_name
          FROM (${demoEnds}) ARRAY JOIN if(buyer_cert > 0, [0, 1], [0]) AS side
          UNION ALL
          SELECT cert, 0, if(n = 0, 110, if(intDiv(h, n) % 3 = 0, 721, 711)), if(n = 0, established_date, greatest(established_date + 1, makeDate32(2000, 1, 1) + intDiv(h, 13 * n) % 9300)), n,
            upper(legal_name), charter_class, regulator, upper(city), state, 0, '' FROM demo_banks ARRAY JOIN range(if(de_novo, 0, 1), 1 + least(5, toUInt32(final_assets / 2000000))) AS n WHERE NOT closed
        )`,
    },
  },
})
