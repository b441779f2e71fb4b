// Branches of the Summary of Deposits, the FDIC's register and NIC, from files in the agencies' formats.
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'
import { attributesFile } from '../structure/nic-files.ts'
import { sodAnswer, sodFile } from './sod-files.ts'

const offices = [
  { BRNUM: 0, NAMEBR: 'Example Bank', ADDRESBR: '1 Main Street', DEPSUMBR: 1234567, BRCENM: 'M' },
  { BRNUM: 1, NAMEBR: 'North Branch', ADDRESBR: '100 North Oak Street, Suite 5', DEPSUMBR: 20000 },
  { BRNUM: 2, NAMEBR: 'Mall Branch', ADDRESBR: '9 Mall Road' },
  { BRNUM: 3, NAMEBR: 'Lake Branch', ADDRESBR: '7 Lake Avenue', DEPSUMBR: 0, BRCENM: 'C', CONSOLD: 1 },
  // two offices behind one door
  { BRNUM: 4, NAMEBR: 'Plaza', ADDRESBR: '50 Court Sq' },
  {
    BRNUM: 5,
    NAMEBR: 'Plaza Drive-In',
    ADDRESBR: '50 Court Square',
    BRSERTYP: 23,
    STALPBR: 'CT',
    SIMS_LATITUDE: 0,
    SIMS_LONGITUDE: 0,
  },
]
const branch = {
  EST_TYPE_CD: 2,
  ENTITY_TYPE: 'DBR',
  ID_RSSD_HD_OFF: 7700,
  CITY: 'SPRINGFIELD',
  STATE_ABBR_NM: 'MA',
  ZIP_CD: '01103',
}
const nicBranches = [
  { ...branch, ID_RSSD: 101, NM_LGL: 'EXAMPLE BK N BR', STREET_LINE1: '100 N OAK ST', DT_OPEN: '19990504' },
  { ...branch, ID_RSSD: 102, NM_LGL: 'MALL BRANCH', STREET_LINE1: '11 OTHER RD', DT_OPEN: '20000101' },
  { ...branch, ID_RSSD: 104, NM_LGL: 'PLAZA', STREET_LINE1: '50 COURT SQUARE', DT_OPEN: '20000101' },
  { ...branch, ID_RSSD: 105, NM_LGL: 'PLAZA AUTO', STREET_LINE1: '50 COURT SQ', DT_OPEN: '20000101' },
  {
    ...branch,
    ID_RSSD: 108,
    NM_LGL: 'SHUT BRANCH',
    STREET_LINE1: '3 GONE LN',
    DT_OPEN: '20000101',
    DT_END: '20190131',
  },
  {
    ...branch,
    ID_RSSD: 109,
    NM_LGL: 'NEW BRANCH',
    STREET_LINE1: '8 FRESH WAY',
    DT_OPEN: '20220301',
    DT_START: '20220301',
  },
]

t.test('branches', async (t) => {
  const { load, loadText, data, get, sql } = await ratesApp(t)
  t.match(await loadText('fdic-sod', sodFile(offices), 'ALL_2021.csv'), {
    editions: [{ status: 'published' }],
  })
  const states = await data(
    '/reference/states/?fields=state,branch_year,branches,branch_banks,branch_deposits',
  )
  const stateOf = (state: string) => states.find((row: { state: string }) => row.state === state)
  const lying = (state: string, branches: number, branch_banks: number, branch_deposits: number) =>
    t.strictSame(stateOf(state), { state, branch_year: 2021, branches, branch_banks, branch_deposits })
  lying('MA', 5, 1, 1234567 + 20000 + 2 * 1000)
  lying('CT', 1, 1, 1000)
  lying('NY', 0, 0, 0)
  const [main] = await sql('SELECT * FROM branch_deposits WHERE branch_number = 0')
  t.match(main, {
    ...{
      year: 2021,
      rssd_id: 7700,
      cert: 77,
      zip: '01103',
      deposits: 1234567,
      main_office: true,
      method: 'M',
    },
    ...{ established_date: '1889-01-01', acquired_date: null, cbsa_code: '44140', county_fips: '25013' },
    ...{ holding_company_rssd_id: null, consolidated_into: null },
  })
  t.match(await loadText('fdic-sod', sodAnswer(offices), 'sod-2021.json'), {
    editions: [{ status: 'published' }],
  })
  t.strictSame(
    await sql('SELECT * FROM branch_deposits WHERE branch_number = 0'),
    [main],
    'the API’s rows are those of the file, and take their place',
  )
  await loadText(
    'fdic-sod',
    sodFile(offices.slice(0, 4).map((row) => ({ ...row, YEAR: 2018 }))),
    'ALL_2018.csv',
  )

  t.strictSame(
    await data('/banks/7700/branches/rollup/?fields=year,branches,total_deposits,states,full_service'),
    [
      { year: 2018, branches: 4, total_deposits: 1255567, states: 1, full_service: 4 },
      { year: 2021, branches: 6, total_deposits: 1257567, states: 2, full_service: 5 },
    ],
  )
  t.equal((await data('/banks/7700/branches/rollup/?from=2019')).length, 1)
  t.strictSame(await data('/banks/7700/branches/nic/'), [], 'NIC is not loaded')
  t.strictSame(
    (await data('/banks/7700/branches/')).map(({ source }: { source: string }) => source),
    Array(6).fill('FDIC'),
  )
  t.equal((await get('/banks/7701/branches/')).status, 404)
  t.equal((await get('/banks/7700/branches/?year=1901')).status, 400)

  await loadText('nic-attributes', attributesFile(nicBranches), 'CSV_ATTRIBUTES_BRANCHES.CSV')
  await loadText(
    'nic-attributes',
    attributesFile([
      {
        ID_RSSD: 7700,
        NM_LGL: 'EXAMPLE BK',
        ID_FDIC_CERT: 77,
        CHTR_TYPE_CD: 200,
        CITY: 'SPRINGFIELD',
        STATE_ABBR_NM: 'MA',
        STREET_LINE1: 'PO BOX 1',
      },
    ]),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  const merged = async (query: string) =>
    (
      await data(`/banks/7700/branches/?fields=branch_number,branch_rssd_id,name,source,matched_by${query}`)
    ).map((row: Record<string, unknown>) => Object.values(row))
  const both = 'FDIC and NIC'
  t.strictSame(await merged(''), [
    [0, 7700, 'Example Bank', both, 'number'],
    [1, 101, 'North Branch', both, 'address'],
    [2, 102, 'Mall Branch', both, 'name'],
    [3, null, 'Lake Branch', 'FDIC', null],
    [4, 104, 'Plaza', both, 'address'],
    [5, 105, 'Plaza Drive-In', both, 'address'],
    [null, 109, 'NEW BRANCH', 'NIC', null],
  ])
  t.strictSame(
    (await merged('&year=2018')).map(([number, rssd]: unknown[]) => [number, rssd]),
    [
      [0, 7700],
      [1, 101],
      [2, 102],
      [3, null],
      [null, 104],
      [null, 105],
      [null, 108],
    ],
    'on 30 June 2018 the branch that shut in 2019 was open, and the new one was not',
  )
  t.strictSame(await merged('&state=CT'), [[5, 105, 'Plaza Drive-In', both, 'address']])
  const page = (await get('/banks/7700/branches/?limit=3')).json()
  t.match(page.meta, { count: 3, total: 7, as_of: null, sources: ['fdic-sod', 'nic-attributes'] })
  t.equal((await get(page.links.next.replace('/api/v1', ''))).json().data[0].branch_number, 3)

  t.strictSame(
    (await data('/banks/7700/branches/nic/?active=0')).map(
      (row: { branch_rssd_id: number; end_date: string }) => [row.branch_rssd_id, row.end_date],
    ),
    [[108, '2019-01-31']],
  )
  t.equal((await data('/banks/7700/branches/nic/?active=1')).length, 5)

  const map = await get('/banks/7700/branches/map/?format=geojson&fields=name,deposits')
  const { type, features, meta, links } = map.json()
  t.equal(type, 'FeatureCollection')
  t.strictSame(features[0], {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-72.5898, 42.1015] },
    properties: { name: 'Example Bank', deposits: 1234567 },
  })
  t.match(
    { meta, links },
    { meta: { count: 5, total: 5, units: { deposits: 'thousands of US dollars' } }, links: { next: null } },
  )
  t.equal((await data('/banks/7700/branches/map/')).length, 5, 'what has no coordinates is on no map')
  t.strictSame((await get('/banks/7700/branches/map/?format=geojson&state=XX')).status, 400)
  t.match((await get('/banks/7700/branches/?format=geojson')).json(), {
    status: 400,
    errors: [{ parameter: 'format' }],
  })
  t.match((await get('/banks/7700/branches/map/?format=geojson&limit=2')).json().links.next, /format=geojson/)

  // the register knows the certificate alone
  const register = [
    {
      UNINUM: 5000,
      OFFNUM: 0,
      OFFNAME: 'EXAMPLE BANK',
      MAINOFF: 1,
      SERVTYPE: 11,
      SERVTYPE_DESC: 'FULL SERVICE BRICK AND MORTAR',
      LATITUDE: 42.1,
      LONGITUDE: -72.5,
    },
    {
      UNINUM: 5005,
      OFFNUM: 5,
      OFFNAME: 'PLAZA',
      MAINOFF: 0,
      SERVTYPE: 23,
      LATITUDE: 0,
      LONGITUDE: 0,
      STALP: 'CT',
      CBSA_METRO_FLG: '0',
      CBSA_MICRO_FLG: '1',
    },
  ].map((row) => ({
    data: {
      CERT: 77,
      NAME: 'Example Bank',
      ADDRESS: '1 Main Street',
      CITY: 'Springfield',
      STALP: 'MA',
      ZIP: '1103',
      CBSA_METRO_FLG: '1',
      CBSA_MICRO_FLG: '0',
      CBSA_NO: 44140,
      RUNDATE: '10/16/2020',
      ESTYMD: '01/01/1889',
      ...row,
    },
  }))
  await loadText('fdic-locations', JSON.stringify({ data: register }), 'locations.json')
  t.match(await data('/banks/7700/branches/fdic/'), [
    {
      uninum: 5000,
      zip: '01103',
      area: 'metropolitan',
      latitude: 42.1,
      established_date: '1889-01-01',
      run_date: '2020-10-16',
    },
    { uninum: 5005, area: 'micropolitan', latitude: null, state: 'CT', service_type: 23 },
  ])
  t.equal((await data('/banks/7700/branches/fdic/?service_type=11,12')).length, 1)
  t.equal((await data('/banks/7700/branches/fdic/?state=CT')).length, 1)
  t.equal((await get('/banks/7700/branches/fdic/?service_type=99')).status, 400)

  const bad = await loadText(
    'fdic-sod',
    sodFile([{ ...offices[0]!, YEAR: 2021, BRNUM: 'x' }]),
    'ALL_2021.csv',
  )
  t.match(bad, { editions: [{ status: 'failed', reason: /BRNUM.* is “x”, expected a whole number/ }] })
  t.equal((await data('/banks/7700/branches/map/')).length, 5, 'what was loaded stays')
  void load
})
