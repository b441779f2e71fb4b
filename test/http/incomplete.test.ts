// A quarter that was taken though files of it lack says so in every answer that rests on it.
import { read, utils } from '@e965/xlsx'
import t from 'tap'
import { readPublished } from '../../server/published.ts'
import { withoutFiles } from '../../sql/sources/incomplete.ts'
import { build } from '../helpers/app.ts'

const { app, engine, published, serve } = await build(t)
const lacks = ['FS220D', 'Credit Union Branch Information.txt']
const [last, before] = ['2026-06-30', '2026-03-31']
const meta = async (url: string) => {
  const answer = await app.inject({ url })
  t.equal(answer.statusCode, 200, `${url} ${answer.statusCode === 200 ? '' : answer.body}`)
  return answer.json().meta
}
const [{ cu }] = (await engine.rows<{ cu: number }>({
  sql: 'SELECT max(cu_number) AS cu FROM credit_unions WHERE active',
  database: published.publication.database,
})) as [{ cu: number }]

t.test('what is whole says nothing', async (t) => {
  t.notOk('incomplete' in (await meta(`/api/v1/cus/${cu}/`)))
})

t.test('what is not is named, where the answer speaks of it', async (t) => {
  await engine.loader(published.publication.database).command({
    query: `INSERT INTO load_files (source, name, report_date, part, in_force) VALUES
      ('ncua-5300', 'a.zip', '${before}', {part:String}, true), ('ncua-5300', 'b.zip', '2025-12-31', {part:String}, false),
      ('fr-y-9c', 'one.csv', '${before}', 'FR Y-9C of 1, ${before}', true)`,
    query_params: { part: withoutFiles(lacks) },
  })
  serve(await readPublished(engine, published.publication))
  const expected = [{ source: 'ncua-5300', report_date: before, lacks }]
  t.same((await meta(`/api/v1/cus/${cu}/?as_of=${before}`)).incomplete, expected)
  t.same((await meta(`/api/v1/cus/${cu}/trends/`)).incomplete, expected, 'a series has it')
  t.same((await meta(`/api/v1/screeners/credit-unions/?as_of=${before}&limit=2`)).incomplete, expected)
  const workbook = await app.inject({ url: `/api/v1/cus/${cu}/?as_of=${before}&format=xlsx` })
  const about = utils.sheet_to_json<string[]>(read(workbook.rawPayload).Sheets.About!, { header: 1 })
  t.ok(
    about.some((row) => row.join() === ['ncua-5300', before, lacks.join(', ')].join()),
    'a workbook has it',
  )
  for (const url of [
    `/api/v1/cus/${cu}/?as_of=${last}`,
    `/api/v1/cus/${cu}/trends/?from=${last}`,
    `/api/v1/cus/${cu}/trends/?quarters=1`,
    `/api/v1/cus/${cu}/trends/?to=2025-12-31`,
    `/api/v1/screeners/banks/?as_of=${before}&limit=2`,
  ])
    t.notOk('incomplete' in (await meta(url)), url)
  const sources = (await app.inject({ url: '/api/v1/reference/sources/' })).json().data
  const told = sources.flatMap(({ key, incomplete }: { key: string; incomplete: string[] }) =>
    incomplete.map((one) => `${key} ${one}`),
  )
  t.same(told, [`ncua-5300 ${before}: ${lacks.join(', ')}`])
})
