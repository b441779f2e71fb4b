import { code, day, digits, optional, orBlank, orNull, ref, small, upper, whole, words } from './columns.ts'
import { source } from './declare.ts'
import { attributes, fromNic, notApplicable } from './nic.ts'

const indicator = (heading: string, label: string, doc: string) => optional(small(heading, { label, doc }))

/**
 * Holding companies of the demo, named after the bank of the same number less 95,000,000: `kind` -1. With the largest of
 * them another company between (0), and subsidiaries that are no banks.
 */
const demoCompanies = `
    SELECT h.holder AS holder, h.banks AS banks, h.since AS since, n.i AS i, n.city AS city, n.state AS state, n.zip AS zip, n.address AS address, toString(n.word) AS word,
      arrayJoin(multiIf(i < 40, [-1, 0, 1, 2, 3], i % 10 = 0, [-1, 1], [-1])) AS kind
    FROM (SELECT assumeNotNull(holding_company_rssd_id) AS holder, countIf(NOT closed) AS banks, min(established_date) AS since
      FROM demo_banks WHERE holding_company_rssd_id IS NOT NULL GROUP BY holder) AS h
    INNER JOIN demo_banks AS n ON n.i = h.holder - 95000000`

const closing = `makeDate32(intDiv(b.close_q + 1, 4), (b.close_q + 1) % 4 * 3 + 1 + b.h % 3, 1 + intDiv(b.h, 7) % 28)`

export default source({
  key: 'nic-attributes',
  name: 'NIC attributes',
  what: 'Who every institution and branch is that NIC knows: names, places, charters, identifiers, and the days of which that is true; active and closed.',
  ...fromNic('nic-attributes', {
    ATTRIBUTES_ACTIVE: 'AttributesActive',
    ATTRIBUTES_CLOSED: 'AttributesClosed',
    ATTRIBUTES_BRANCHES: 'AttributesBranches',
  }),
  tables: {
    nic_institutions: {
      doc: 'An institution as it was from a day on: what every edition says is kept, so that its past stays known.',
      member: /ATTRIBUTES_?(ACTIVE|CLOSED)/i,
      absent: notApplicable,
      columns: {
        ...attributes,
        charter_type: optional(
          whole('CHTR_TYPE_CD', {
            label: 'Charter type',
            doc: '200: commercial bank; 250: trust company; 300, 310, 320: savings and cooperative; 330: credit union; 340: industrial bank; 500: holding company alone.',
          }),
        ),
        charter_authority: optional(
          small('CHTR_AUTH_CD', { label: 'Chartering authority', doc: '1: federal; 2: state.' }),
        ),
        broad_regulatory: optional(
          small('BROAD_REG_CD', {
            label: 'Broad regulatory code',
            doc: '1: bank; 2: other depository institution; 3: non-depository; 4: inactive.',
          }),
        ),
        organization_type: optional(
          small('ORG_TYPE_CD', {
            label: 'Legal form',
            doc: '1: corporation; 6: mutual; 9: cooperative; 11: LLC.',
          }),
        ),
        activity: optional(code('ACT_PRIM_CD', { label: 'Primary activity', doc: 'NAICS code.' })),
        primary_regulator: optional(upper(code('PRIM_FED_REG', { label: 'Primary federal regulator' }))),
        insurer: optional(
          small('INSUR_PRI_CD', {
            label: 'Primary deposit insurer',
            doc: '1, 2, 6, 7: FDIC; 3: NCUSIF; 4: state.',
          }),
        ),
        fed_member: indicator('MBR_FRS_IND', 'Federal Reserve member', '1: a member.'),
        frs_district: optional(small('DIST_FRS', { label: 'Federal Reserve district' })),
        bank_holding_company: indicator(
          'BHC_IND',
          'Bank holding company',
          '1: it is one; 2: it controls a grandfathered non-bank bank.',
        ),
        financial_holding_company: indicator(
          'FHC_IND',
          'Financial holding company',
          '1: it is one; 2: a savings and loan holding company that is one.',
        ),
        savings_holding_company: indicator('SLHC_IND', 'Savings and loan holding company', '1: it is one.'),
        intermediate_holding_company: indicator('IHC_IND', 'Intermediate holding company', '1: it is one.'),
        bank_count: optional(
          whole('BANK_CNT', {
            label: 'Banks',
            doc: 'Banks in the structure of a holding company.',
            unit: 'count',
          }),
        ),
        cert: optional(ref('certificate', 'ID_FDIC_CERT', { label: 'FDIC certificate' })),
        cu_number: optional(ref('credit_union', 'ID_NCUA', { label: 'NCUA charter number' })),
        occ_charter: optional(whole('ID_OCC', { label: 'OCC charter number' })),
        thrift_docket: optional(whole('ID_THRIFT', { label: 'OTS docket number' })),
        aba_routing: optional(whole('ID_ABA_PRIM', { label: 'ABA routing number' })),
        lei: optional(words('ID_LEI', { label: 'Legal entity identifier' })),
        tax_id: optional(digits('ID_TAX', 9, { label: 'Tax number', doc: 'EIN.' })),
        cusip: optional(words('ID_CUSIP', { label: 'CUSIP' })),
        insured_date: orNull(day('DT_INSUR', { label: 'Insured' })),
        conservatorship: optional(small('CNSRVTR_CD', { label: 'Conservatorship code' })),
        minority_owned: optional(small('MJR_OWN_MNRTY', { label: 'Minority ownership code' })),
        state_of_incorporation: optional(
          upper(code('STATE_INC_ABBR_NM', { label: 'State of incorporation' })),
        ),
        web_address: orBlank(words('URL', { label: 'Web address' })),
      },
      unique: ['rssd_id', 'start_date'],
      edition: { replaces: 'upsert' },
      time: { kind: 'valid', from: 'start_date', to: 'end_date' },
      demo: `
        SELECT b.rssd_id AS rssd_id, b.established_date AS start_date, if(b.closed, ${closing} - 1, NULL) AS end_date, upper(b.legal_name) AS legal_name, '' AS short_name,
          transform(b.charter_class, ['N', 'SM', 'SA', 'SB'], ['NAT', 'SMB', 'FSB', 'SSB'], 'NMB') AS entity_type, 1 AS establishment_type, NULL AS head_office_rssd_id,
          b.address AS street, '' AS street_2, upper(b.city) AS city, b.state AS state, b.zip AS zip, NULL AS state_fips, NULL AS county_fips, 'UNITED STATES' AS country,
          start_date AS opened_date, toString(start_date) AS established_date, end_date AS terminated_date, if(b.closed, if(b.exit = 'failure', 5, 2), NULL) AS termination_reason,
          if(b.charter_class IN ('SA', 'SB'), 300, 200) AS charter_type, if(b.charter_class IN ('N', 'SA'), 1, 2) AS charter_authority, 1 AS broad_regulatory,
          if(b.mutual, 6, 1) AS organization_type, '522110' AS activity, if(b.regulator = 'FED', 'FRS', b.regulator) AS primary_regulator, 7 AS insurer,
          if(b.charter_class IN ('N', 'SM'), 1, NULL) AS fed_member, NULL AS frs_district, NULL AS bank_holding_company, NULL AS financial_holding_company,
          NULL AS savings_holding_company, NULL AS intermediate_holding_company, NULL AS bank_count, b.cert AS cert, NULL AS cu_number,
          if(b.charter_class = 'N', 900000 + b.i, NULL) AS occ_charter, NULL AS thrift_docket, 990000000 + b.i AS aba_routing, NULL AS lei, leftPad(toString(b.rssd_id), 9, '0') AS tax_id, NULL AS cusip,
          start_date + 30 AS insured_date, NULL AS conservatorship, NULL AS minority_owned, NULL AS state_of_incorporation, '' AS web_address
        FROM demo_banks AS b
        UNION ALL
        SELECT multiIf(kind = -1, holder, kind = 0, 96000000 + i, 97000000 + i * 10 + kind), since, NULL,
          upper(concat(word, if(kind = -1, [' Bancorp', ' Bancshares, Inc.', ' Financial Corporation'][1 + i % 3], [' Intermediate Holdings, Inc.', ' Insurance Agency, LLC', ' Leasing Company', ' Securities, Inc.'][kind + 1]))), '',
          [if(i < 200, 'FHD', 'BHC'), 'BHC', 'DEO', 'DEO', 'SBD'][kind + 2], 1, NULL, address, '', upper(city), state, zip, NULL, NULL, 'UNITED STATES', since,
          toString(since), NULL, NULL, [500, 500, 550, 720, 700][kind + 2], NULL, 3, if(kind = 1, 11, 1), ['551111', '551111', '524210', '532490', '523120'][kind + 2],
          if(kind < 1, 'FRS', NULL), NULL, NULL, NULL, if(kind < 1, 1, NULL), if(kind = -1 AND i < 200, 1, NULL), NULL, NULL, if(kind = -1, banks, NULL),
          NULL, NULL, NULL, NULL, NULL, NULL, if(kind = -1, leftPad(toString(holder), 9, '0'), NULL), NULL, NULL, NULL, NULL, NULL, ''
        FROM (${demoCompanies})`,
    },
    nic_branches: {
      doc: 'A branch as NIC last knew it, of an institution that is active or closed.',
      member: /ATTRIBUTES_?BRANCH/i,
      absent: notApplicable,
      columns: {
        ...attributes,
        head_office_rssd_id: ref('institution', 'ID_RSSD_HD_OFF', { label: 'Head office' }),
      },
      unique: ['rssd_id'],
      order: ['head_office_rssd_id', 'rssd_id'],
      edition: { replaces: 'all', newest: 'start_date', shrink: 0.9 },
      time: { kind: 'valid', from: 'start_date', to: 'end_date' },
      // most offices that the FDIC has, a few under another name and address, some of them closed
      demo: `
        SELECT toUInt32(60000000 + o.uninum) AS rssd_id, if(n % 25 = 3, {last:Date} - 400, NULL) AS end_date, upper(o.name) AS legal_name, '' AS short_name, 'DBR' AS entity_type, 2 AS establishment_type, b.rssd_id AS head_office_rssd_id,
          multiIf(n % 12 = 1, concat(toString(1 + n % 900), ' COMMERCE PARK'), n % 7 = 0, '', replaceAll(upper(o.address), ' STREET', ' ST')) AS street, '' AS street_2, upper(o.city) AS city, o.state AS state, o.zip AS zip, NULL AS state_fips, NULL AS county_fips,
          'UNITED STATES' AS country, toDate32(o.established_date) AS start_date, start_date AS opened_date, o.established_date AS established_date, end_date AS terminated_date, NULL AS termination_reason
        FROM (SELECT *, cityHash64(uninum) AS n FROM branch_offices WHERE office_number > 0) AS o
        INNER JOIN (SELECT cert, rssd_id FROM demo_banks) AS b ON b.cert = o.cert WHERE n % 12 > 0`,
    },
  },
})
