import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { collected } from '../refresh/helpers.ts'
import { fixture, loaderEngine } from './helpers.ts'

const guide = (name: string) => fixture(`ubpr-formulas/${name}`)

t.test('the tables of one date are one edition, a dictionary is another', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const outcome = await load('ubpr-formulas', [fixture('ubpr-formulas')])
  t.match(outcome.editions, [
    { name: /v129/, reportDate: '2019-01-01', status: 'published', rowsRead: 4, rowsRejected: 0 },
    {
      name: /pages.*references/,
      reportDate: '2017-06-22',
      status: 'published',
      rowsRead: 6,
      rowsRejected: 2,
    },
  ])
  const concepts = await rows<{ line: number; item_number: string; code: string; formula: string }>(
    `SELECT line, item_number, title, code, formula FROM ubpr_guide
     WHERE edition = '2017-06-22' AND part = 'pages' ORDER BY line, item_number`,
  )
  t.match(concepts, [
    {
      item_number: '1.1',
      title: 'Net Income',
      code: 'UBPRZ001',
      formula: 'PCTOFANN(uc:UBPRZ010[P0], uc:UBPRZ011[P0])',
    },
    { item_number: '2.1', title: 'Growth', code: 'UBPRZ002', formula: 'CHANGEYI(#uc:UBPRZ011,1)' },
    { item_number: '2.2', title: 'Growth', code: 'UBPRZ003', formula: 'CHANGEQI(#uc:UBPRZ011,1)' },
    { item_number: '3.1', title: 'Provision', code: 'RIAD4230', formula: '' },
  ])
  t.match(
    await rows('SELECT reason, text FROM load_rejects ORDER BY line'),
    [{ reason: /found "cc:RIAD4301"/ }, { reason: /"UBPR" is no code of a concept/ }],
    'what does not parse is kept as published, and listed',
  )
  t.match(outcome.editions[1]!.notes, [
    '6 of 7 concepts with a formula compile (85.71 %); 1 have none',
    'UBPRZ005 (Lost) is not computed: unknown UBPR concept uc:UBPRZ999',
  ])
  const again = await load('ubpr-formulas', [
    guide('guide-2017-06-22-pages.csv'),
    guide('guide-2017-06-22-references.csv'),
  ])
  t.match(again.editions, [{ status: 'already-there' }])
})

t.test('a file of another kind is refused by name', async (t) => {
  const { load } = await loaderEngine(t)
  const folder = await temporaryFolder(t)
  const files: [string, string, RegExp][] = [
    ['guide.html', '<html>', /guide\.html: this is a web page/],
    ['guide.csv', 'CONCEPT NAME,PAGE\nUBPRE013,1\n', /expected a table of the UBPR User's Guide/],
    [
      'dictionary.json',
      '[{"mdrm":"UBPRE013","formula":"1"}]',
      /tells no edition date: expected a day in the name/,
    ],
    [
      'broken 2017-06-22.csv',
      'CONCEPT NAME,FORMULA\nUBPRE013,"1"2\n',
      /line 2: a quote is closed within a field/,
    ],
  ]
  for (const [name, text] of files) await writeFile(join(folder, name), text)
  for (const [name, , reason] of files)
    t.match(
      (await load('ubpr-formulas', [join(folder, name)])).editions,
      [{ status: 'failed', reason }],
      name,
    )
})

t.test('without files the guide is fetched from SOURCE_URL_UBPR_FORMULAS', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/guides/dictionary-v130.json') response.end('[{"mdrm":"UBPRE013","formula":"1"}]')
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/guides/dictionary-`
  const at = (name: string) =>
    collected(t, 'ubpr-formulas', { SOURCE_URL_UBPR_FORMULAS: `${address}${name}` })
  t.match((await at('v130.json')).files, [{ name: 'dictionary-v130.json' }])
  t.match((await at('v131.json')).failed, [{ reason: /v131\.json: the publisher answered 404/ }])
})
