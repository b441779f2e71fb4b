// Registrants as EDGAR tells of them, whom they are linked to, and which is behind a bank.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { universe } from '../helpers/universe.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { attributesFile, relationshipsFile } from '../structure/nic-files.ts'
import { submissions } from './submissions.ts'

const real = join(import.meta.dirname, '../../../shared/data/sec/submissions')

t.test('the registrant behind a bank is the highest of its holders that is one', async (t) => {
  const { loadText, data, sql } = await ratesApp(t)
  const bank = { CHTR_TYPE_CD: 200, ENTITY_TYPE: 'NAT', STATE_ABBR_NM: 'OH', CITY: 'COLUMBUS' }
  const holder = { CHTR_TYPE_CD: 500, ENTITY_TYPE: 'FHD', STATE_ABBR_NM: 'NY', CITY: 'NEW YORK' }
  await loadText(
    'nic-attributes',
    attributesFile([
      { ...bank, ID_RSSD: 852218, NM_LGL: 'JPMORGAN CHASE BANK, NATIONAL ASSOCIATION', ID_FDIC_CERT: 628 },
      { ...bank, ID_RSSD: 100, NM_LGL: 'LONE BANK', ID_FDIC_CERT: 7, ID_TAX: 12345678 },
      { ...holder, ID_RSSD: 1039502, NM_LGL: 'JPMORGAN CHASE & CO.', ID_TAX: 132624428 },
      { ...holder, ID_RSSD: 2222, NM_LGL: 'JPMORGAN CHASE HOLDINGS LLC' },
    ]),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  await loadText(
    'nic-relationships',
    relationshipsFile([
      { ID_RSSD_PARENT: 1039502, ID_RSSD_OFFSPRING: 2222, DT_START: '20100101' },
      { ID_RSSD_PARENT: 2222, ID_RSSD_OFFSPRING: 852218, DT_START: '20100101' },
    ]),
    'CSV_RELATIONSHIPS.CSV',
  )
  const former = [
    { name: 'CHEMICAL BANKING CORP', from: '1994-02-02T00:00:00.000Z', to: '1996-03-28T00:00:00.000Z' },
  ]
  await loadText(
    'sec-submissions',
    submissions({ cik: '0000019617', name: 'JPMORGAN CHASE & CO', ein: '132624428', formerNames: former }),
    'CIK0000019617.json',
  )
  // EDGAR leaves out no zeros of a tax number, NIC does
  await loadText(
    'sec-submissions',
    submissions({
      ...{ cik: '0000000005', name: 'Lone Bancorp', ein: '012345678', sic: '6022' },
      ...{ tickers: [], exchanges: [] },
    }),
    'CIK0000000005.json',
  )
  t.strictSame(
    await sql(
      'SELECT rssd_id, cik, via, holder_rssd_id, holders, method FROM bank_registrants ORDER BY rssd_id',
    ),
    [
      { rssd_id: 100, cik: 5, via: 'itself', holder_rssd_id: null, holders: 0, method: 'id' },
      {
        rssd_id: 852218,
        cik: 19617,
        via: 'holding company',
        holder_rssd_id: 1039502,
        holders: 2,
        method: 'id',
      },
    ],
  )
  const found = await data('/banks/852218/sec/registrant/')
  t.match(found, {
    cik: 19617,
    name: 'JPMORGAN CHASE & CO',
    tickers: ['JPM', 'JPM-PC'],
    exchanges: ['NYSE', 'none'],
    fiscal_year_end: '1231',
    former_names: [{ name: 'CHEMICAL BANKING CORP', since: '1994-02-02', until: '1996-03-28' }],
    via: 'holding company',
    evidence: 'EIN 132624428',
  })
  const all = await data('/sec/registrants/')
  t.strictSame(
    all.map((one: Record<string, unknown>) => [one.name, one.rssd_id, one.bank_rssd_ids]),
    [
      ['JPMORGAN CHASE & CO', 1039502, [852218]],
      ['Lone Bancorp', 100, [100]],
    ],
  )
  t.strictSame((await data('/sec/registrants/?ticker=jpm-pc')).length, 1)
  t.strictSame((await data('/sec/registrants/?q=chemical')).length, 1, 'former names are searched')
})

t.test('who is no bank is not kept', async (t) => {
  const { loadText, sql } = await ratesApp(t)
  await loadText(
    'sec-submissions',
    submissions({ cik: '0000000009', name: 'Motors Inc', sic: '3711' }),
    'CIK9.json',
  )
  t.strictSame(await sql('SELECT cik FROM sec_registrants'), [])
})

t.test('in the demo every large bank has a registrant', async (t) => {
  const { rows } = await universe()
  const [held] = await rows('/api/v1/banks/?limit=1&sort=-total_assets')
  t.match(await rows(`/api/v1/banks/${held!.rssd_id}/sec/registrant/`), [
    { rssd_id: held!.rssd_id, method: 'id' },
  ])
  const all = await rows('/api/v1/sec/registrants/?limit=1000')
  t.equal(all.filter(({ rssd_id }) => rssd_id === null).length, 0, 'each is linked')
})

t.test('registrants of the SEC', { skip: existsSync(real) ? false : `${real} is not there` }, async (t) => {
  const { load, sql } = await ratesApp(t)
  await load('sec-submissions', [join(real, 'submissions_CIK0000019617_2021-08.json')])
  await load('sec-submissions', [join(real, 'CIK0000310522.json')])
  t.match(await sql('SELECT * FROM sec_registrants ORDER BY cik'), [
    {
      ...{ cik: 19617, name: 'JPMORGAN CHASE & CO', sic: '6021', ein: '132624428', lei: null, state: 'NY' },
      ...{ zip: '10017', category: 'Large accelerated filer', state_of_incorporation: 'DE' },
    },
    { cik: 310522, sic: '6111', ein: '520883107', city: 'WASHINGTON' },
  ])
})
