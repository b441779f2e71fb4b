// NIC's attributes and relationships, in files written by its dictionary: they could not be had themselves.
import t from 'tap'
import { ratesEngine } from '../rates/loading.ts'
import { attributesFile, relationshipsFile } from './nic-files.ts'

const chase = { ID_RSSD: 852218, NM_LGL: 'JPMORGAN CHASE BANK, NATIONAL ASSOCIATION', ENTITY_TYPE: 'NAT' }

t.test('institutions, active and closed, and branches', async (t) => {
  const { loadTexts, rows } = await ratesEngine(t)
  const outcome = await loadTexts('nic-attributes', {
    'CSV_ATTRIBUTES_ACTIVE.CSV': attributesFile([
      {
        ...{
          ...chase,
          DT_START: '20041113',
          DT_EXIST_CMNC: '17990901',
          CITY: 'COLUMBUS',
          STATE_ABBR_NM: 'OH',
        },
        ...{
          ID_FDIC_CERT: 628,
          ID_OCC: 8,
          COUNTY_CD: 49,
          STATE_CD: 39,
          CHTR_TYPE_CD: 200,
          PRIM_FED_REG: 'OCC',
        },
      },
    ]),
    'CSV_ATTRIBUTES_CLOSED.CSV': attributesFile([
      { ID_RSSD: 28, DT_START: '18991231', DT_END: '19931231', DT_EXIST_TERM: '19931231', REASON_TERM_CD: 2 },
    ]),
    'CSV_ATTRIBUTES_BRANCHES.CSV': attributesFile([
      {
        ID_RSSD: 1234,
        NM_LGL: 'MAIN STREET BRANCH',
        EST_TYPE_CD: 2,
        ID_RSSD_HD_OFF: 852218,
        ENTITY_TYPE: 'DBR',
      },
    ]),
  })
  t.match(
    outcome.editions.map(({ status, rowsKept, rowsRejected }) => [status, rowsKept, rowsRejected]),
    Array(3).fill(['published', 1, 0]),
  )
  t.strictSame(
    await rows(`SELECT rssd_id, legal_name, toString(start_date) AS since, toString(end_date) AS until, established_date, city, state,
        cert, county_fips, terminated_date IS NULL AS stands, lei, bank_holding_company FROM nic_institutions ORDER BY rssd_id DESC`),
    [
      {
        ...{ rssd_id: 852218, legal_name: chase.NM_LGL, since: '2004-11-13', until: null },
        ...{ established_date: '1799-09-01', city: 'COLUMBUS', state: 'OH', cert: 628, county_fips: '049' },
        ...{ stands: 1, lei: null, bank_holding_company: null },
      },
      {
        ...{
          rssd_id: 28,
          legal_name: 'NAMELESS',
          since: '1900-01-01',
          until: '1993-12-31',
          established_date: '1990-01-01',
        },
        ...{
          city: '',
          state: null,
          cert: null,
          county_fips: null,
          stands: 0,
          lei: null,
          bank_holding_company: null,
        },
      },
    ],
    'names are trimmed, 0 is absent, 9999 has not come, and what is older than 1900 counts from then',
  )
  t.strictSame(await rows('SELECT rssd_id, head_office_rssd_id FROM nic_branches'), [
    { rssd_id: 1234, head_office_rssd_id: 852218 },
  ])

  const moved = { ...chase, DT_START: '20300101', CITY: 'NEW YORK' }
  await loadTexts('nic-attributes', { 'CSV_ATTRIBUTES_ACTIVE.CSV': attributesFile([moved]) })
  t.strictSame(
    await rows('SELECT city FROM nic_institutions WHERE rssd_id = 852218 ORDER BY start_date'),
    [{ city: 'COLUMBUS' }, { city: 'NEW YORK' }],
    'what an older edition said stays known',
  )
})

t.test('relationships', async (t) => {
  const { loadText, rows } = await ratesEngine(t)
  const text = relationshipsFile([
    { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 852218, DT_START: '20041113' },
    { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 28, DT_END: '19931231', PCT_EQUITY: '4.90', CTRL_IND: 2 },
    { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 55, EQUITY_IND: 0, PCT_EQUITY: '0.00', OTHER_BASIS_IND: 5 },
    { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 28, DT_END: '19931231', RELN_LVL: 'x' },
  ])
  t.match(await loadText('nic-relationships', text, 'CSV_RELATIONSHIPS.CSV'), {
    ...{ status: 'published', rowsKept: 3, rowsRejected: 1 },
  })
  t.strictSame(
    await rows(`SELECT offspring_rssd_id AS id, toString(start_date) AS since, toString(end_date) AS until, percent_equity AS held, controlled, other_basis
      FROM nic_relationships ORDER BY id`),
    [
      { id: 28, since: '1990-01-01', until: '1993-12-31', held: 4.9, controlled: 2, other_basis: null },
      { id: 55, since: '1990-01-01', until: null, held: null, controlled: 1, other_basis: 5 },
      { id: 852218, since: '2004-11-13', until: null, held: 100, controlled: 1, other_basis: null },
    ],
  )
})
