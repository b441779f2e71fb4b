// One vocabulary of events over NIC's and FDIC's codes, in files of both agencies' formats.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'
import { attributesFile, relationshipsFile, transformationsFile } from './nic-files.ts'

const history = `"ID","TRANSNUM","CERT","EFFDATE","PROCDATE","CHANGECODE","CHANGECODE_DESC","ORG_ROLE_CDE","INSTNAME","CLASS","PCITY","PSTALP","FRM_INSTNAME","FRM_CLASS","FRM_PCITY","FRM_PSTALP","OUT_CERT","OUT_INSTNAME","OUT_PCITY","OUT_PSTALP","OUT_CLASS","ACQ_CERT","ACQ_INSTNAME","SUR_CERT","SUR_INSTNAME","OFF_NUM","OFF_NAME","OFF_PCITY","OFF_PSTALP"
"1_510","0","628","2004-11-13T00:00:00","2004-11-20T00:00:00","510","CHANGE IN LEGAL NAME (FO OR BR)","FI","JPMorgan Chase Bank, National Association","N","COLUMBUS","OH","JPMorgan Chase Bank","SM","NEW YORK","NY","0","","","","","0","","0","","","","",""
"2_223","7","1000","2019-05-18T00:00:00","2019-06-01T00:00:00","223","MERGER -WITHOUT ASSISTANCE","FI","","N","COLUMBUS","OH","","","","","1000","Small Bank","AKRON","OH","NM","628","JPMorgan Chase Bank, National Association","628","JPMorgan Chase Bank, National Association","","","",""
"2_810","7","628","2019-05-18T00:00:00","2019-06-01T00:00:00","810","PARTICIPATED IN ABSORBTION/CONSOLIDATION/MERGER","FI","JPMorgan Chase Bank, National Association","N","COLUMBUS","OH","","","","","1000","Small Bank","AKRON","OH","NM","628","JPMorgan Chase Bank, National Association","628","JPMorgan Chase Bank, National Association","","","",""
"3_211","8","2000","1933-05-18T00:00:00","2000-01-01T00:00:00","211","FAILURE - WHOLE INSTITUTION","FI","","N","COLUMBUS","OH","","","","","2000","Unknown Savings","TOLEDO","OH","SL","628","JPMorgan Chase Bank, National Association","628","JPMorgan Chase Bank, National Association","","","",""
"4_721","9","628","2021-02-01T00:00:00","2021-03-01T00:00:00","721","BRANCH CLOSING","BR","JPMorgan Chase Bank, National Association","N","COLUMBUS","OH","","","","","0","","","","","0","","0","","1234","MAIN STREET BRANCH","DAYTON","OH"
"5_520","9","628","2021-02-01T00:00:00","2021-03-01T00:00:00","520","CHANGE IN PHYSICAL LOCATION","BR","JPMorgan Chase Bank, National Association","N","COLUMBUS","OH","","","","","0","","","","","0","","0","","1235","HIGH STREET BRANCH","DAYTON","OH"
`

const bank = (ID_RSSD: number, NM_LGL: string, more: Record<string, string | number> = {}) => ({
  ...{
    ID_RSSD,
    NM_LGL,
    CHTR_TYPE_CD: 200,
    ENTITY_TYPE: 'NAT',
    STATE_ABBR_NM: 'OH',
    CITY: 'COLUMBUS',
    ...more,
  },
})
const ended = (day: string, reason: number) => ({ DT_END: day, DT_EXIST_TERM: day, REASON_TERM_CD: reason })

t.test('events of two agencies', async (t) => {
  const { loadText, data, get } = await ratesApp(t)
  await loadText(
    'nic-attributes',
    attributesFile([
      bank(852218, 'JPMORGAN CHASE BANK, NATIONAL ASSOCIATION', {
        ID_FDIC_CERT: 628,
        DT_EXIST_CMNC: '17990901',
      }),
      bank(1039502, 'JPMORGAN CHASE & CO.', {
        CHTR_TYPE_CD: 500,
        ENTITY_TYPE: 'FHD',
        DT_EXIST_CMNC: '19681028',
      }),
      { ID_RSSD: 77, NM_LGL: 'LEASING COMPANY', CHTR_TYPE_CD: 720, DT_EXIST_CMNC: '20000101' },
    ]),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  await loadText(
    'nic-attributes',
    attributesFile([
      bank(28, 'SMALL BANK', {
        ID_FDIC_CERT: 1000,
        CITY: 'AKRON',
        DT_EXIST_CMNC: '19500101',
        ...ended('20190517', 2),
      }),
      bank(29, 'LIQUIDATED BANK', { DT_EXIST_CMNC: '19600101', ...ended('19990301', 1) }),
    ]),
    'CSV_ATTRIBUTES_CLOSED.CSV',
  )
  await loadText(
    'nic-relationships',
    relationshipsFile([
      { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 852218, DT_START: '19690531' },
      { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 77 },
      { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 29, CTRL_IND: 2, PCT_EQUITY: '4.90' },
    ]),
    'CSV_RELATIONSHIPS.CSV',
  )
  await loadText(
    'nic-transformations',
    transformationsFile([
      { ID_RSSD_PREDECESSOR: 28, ID_RSSD_SUCCESSOR: 852218, DT_TRANS: '20190518' },
      { ID_RSSD_PREDECESSOR: 555, ID_RSSD_SUCCESSOR: 852218, DT_TRANS: '20080925', TRNSFM_CD: 50 },
    ]),
    'CSV_TRANSFORMATIONS.CSV',
  )
  await loadText('fdic-history', history, 'history.csv')

  type Event = Record<'date' | 'type' | 'source' | 'code' | 'legal_name' | 'counterparty_name', string>
  const short = (events: Event[]) =>
    events.map(({ date, type, source, code, legal_name, counterparty_name }) =>
      [date, type, source, code, legal_name, counterparty_name].join(' | '),
    )
  const chase = 'JPMORGAN CHASE BANK, NATIONAL ASSOCIATION'
  const all = [
    `2019-05-18 | merger | NIC | 1 | SMALL BANK | ${chase}`,
    '2008-09-25 | failure | NIC | 50 |  | JPMORGAN CHASE BANK, NATIONAL ASSOCIATION',
    '2004-11-13 | name_change | FDIC | 510 | JPMorgan Chase Bank, National Association | ',
    '1999-03-01 | closure | NIC | REASON_TERM_CD 1 | LIQUIDATED BANK | ',
    `1969-05-31 | control_acquired | NIC | REASON_ROW_CRTD 1 | ${chase} | JPMORGAN CHASE & CO.`,
    '1968-10-28 | opening | NIC | DT_EXIST_CMNC | JPMORGAN CHASE & CO. | ',
    '1960-01-01 | opening | NIC | DT_EXIST_CMNC | LIQUIDATED BANK | ',
    '1950-01-01 | opening | NIC | DT_EXIST_CMNC | SMALL BANK | ',
    '1933-05-18 | failure | FDIC | 211 | Unknown Savings | JPMorgan Chase Bank, National Association',
    `1900-01-01 | opening | NIC | DT_EXIST_CMNC | ${chase} | `,
  ]
  t.strictSame(
    short(await data('/events/')),
    all,
    'what both tell stands once; a leasing company, a share of 4.9 % and branches are none of the feed',
  )
  t.strictSame(short(await data('/events/?type=failure&from=1934')), all.slice(1, 2))
  t.strictSame(short(await data('/events/?state=OH&source=fdic')), [all[2], all[8]])
  const [renamed] = await data('/events/?type=name_change')
  t.match(renamed, {
    rssd_id: 852218,
    former: 'JPMorgan Chase Bank',
    current: 'JPMorgan Chase Bank, National Association',
  })
  const [failed] = await data('/events/?type=failure&to=1940')
  t.match(failed, {
    rssd_id: null,
    cert: 2000,
    city: 'TOLEDO',
    counterparty_rssd_id: 852218,
    counterparty_cert: 628,
  })
  t.match((await get('/events/?type=explosion')).json(), { status: 400, errors: [{ parameter: 'type' }] })

  const own = await data('/banks/852218/events/')
  t.strictSame(short(own), [...all.slice(0, 3), all[4], all[8], all[9]])
  t.strictSame(
    own.map(({ role }: { role: string }) => role),
    ['counterparty', 'counterparty', 'subject', 'subject', 'counterparty', 'subject'],
  )
  t.strictSame(short(await data('/banks/28/events/')), [all[0], all[7]], 'what became of a closed bank')
  t.equal((await get('/banks/999/events/')).status, 404)

  const log = await data('/banks/852218/history/')
  t.strictSame(
    log.map(({ change_code, type, role }: Record<string, unknown>) => [change_code, type, role]),
    [
      [721, 'branch_closing', 'BR'],
      [520, 'branch_change', 'BR'],
      [810, 'merger', 'FI'],
      [510, 'name_change', 'FI'],
    ],
  )
  t.match(
    (await data('/banks/28/history/')).map(({ city, state, class: of }: Record<string, string>) => [
      city,
      state,
      of,
    ]),
    [['AKRON', 'OH', 'NM']],
  )
  t.strictSame(
    (await data('/banks/852218/history/?type=branch_closing'))[0].office_name,
    'MAIN STREET BRANCH',
  )
})

const real = join(import.meta.dirname, '../../../shared/data')
t.test(
  'a feed of all real transformations goes by pages',
  { skip: !existsSync(real) && 'the real files are not here' },
  async (t) => {
    const { load, get, sql } = await ratesApp(t)
    await load('nic-transformations', [join(real, 'nic/2024-2025/CSV_TRANSFORMATIONS.CSV')])
    const seen = new Set<string>()
    let last = '9999'
    let pages = 0
    for (let url: string | null = '/events/?limit=10000'; url; pages++) {
      const { data, links } = (await get(url)).json() as {
        data: { event: string; date: string }[]
        links: { next: string | null }
      }
      for (const { event, date } of data) {
        seen.add(event)
        if (date > last) t.fail(`${event} of ${date} comes after ${last}`)
        last = date
      }
      url = links.next?.replace('/api/v1', '') ?? null
    }
    t.equal(seen.size, 58_202, 'each once')
    t.equal(pages, 6)
    t.strictSame(
      await sql(`SELECT type, toUInt32(count()) AS n FROM structural_events GROUP BY type ORDER BY n DESC`),
      [
        { type: 'merger', n: 53_791 },
        { type: 'failure', n: 4217 },
        { type: 'asset_sale', n: 83 },
        { type: 'reorganization', n: 78 },
        { type: 'split', n: 33 },
      ],
    )
  },
)
