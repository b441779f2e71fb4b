import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { openZip } from '../../loaders/lib/zip.ts'
import { loaderEngine } from './helpers.ts'

const DATA = new URL('../../../shared/data/', import.meta.url).pathname
const FOLDER = join(DATA, 'ffiec-call-report')
const skip = existsSync(FOLDER) ? false : `no real filings at ${FOLDER}`
const zipPath = (date: string) => join(FOLDER, `FFIEC CDR Call Bulk All Schedules ${date}.zip`)

/** Filled cells by schedule, counted without any of the loader's code but the unzipping. */
async function countCells(path: string): Promise<Record<string, number>> {
  const zip = await openZip(path)
  const counts: Record<string, number> = {}
  for (const member of zip.members) {
    const schedule = /Schedule (\w+) /.exec(member.name)?.[1]
    if (!schedule) continue
    const [header, , ...rows] = (await buffer(await member.open())).toString('latin1').split('\r\n')
    const width = header!.split('\t').filter((code) => code !== '').length
    let filled = 0
    for (const row of rows)
      for (const cell of row.split('\t').slice(1, width)) if (cell.trim() !== '') filled += 1
    if (filled > 0) counts[schedule] = (counts[schedule] ?? 0) + filled
  }
  zip.close()
  return counts
}

t.test('real quarters of three layouts', { skip, timeout: 600_000 }, async (t) => {
  const { load, rows } = await loaderEngine(t)
  const dates = ['06302012', '03312014', '12312018', '09302019']
  const outcome = await load('ffiec-call-report', dates.map(zipPath))
  t.match(outcome.dataVersion, /^2019Q3-/)
  for (const edition of outcome.editions)
    t.match(edition, { status: 'published', rowsRejected: 0 }, edition.name)

  t.test('every filled cell of every schedule became an item', async (t) => {
    for (const date of dates) {
      const iso = `${date.slice(4)}-${date.slice(0, 2)}-${date.slice(2, 4)}`
      const found = await rows<{ schedule: string; items: number }>(
        `SELECT schedule, count() AS items FROM call_report_items WHERE report_date = '${iso}' GROUP BY schedule`,
      )
      const items = Object.fromEntries(found.map(({ schedule, items: count }) => [schedule, count]))
      t.strictSame(items, await countCells(zipPath(date)), iso)
    }
  })

  t.test('figures that are known', async (t) => {
    const value = async (rssd: number, date: string, mdrm: string) =>
      (
        await rows<{ value: number }>(
          `SELECT DISTINCT value FROM call_report_items WHERE rssd_id = ${rssd} AND report_date = '${date}' AND mdrm = '${mdrm}'`,
        )
      ).map((row) => row.value)
    t.strictSame(
      await value(852218, '2019-09-30', 'RCFD2170'),
      [2367127000],
      'JPMorgan Chase Bank, total assets',
    )
    t.strictSame(
      await value(37, '2018-12-31', 'RCOA7204'),
      [18.562],
      'Bank of Hancock County, leverage ratio',
    )
    t.strictSame(
      await value(37, '2012-06-30', 'RCON7204'),
      [20.45],
      'the same, when it was filed as a fraction',
    )
  })

  t.test('each item has exactly a value or a text, and ratios are in percent', async (t) => {
    t.strictSame(
      await rows('SELECT count() AS odd FROM call_report_items WHERE (value IS NULL) = (text IS NULL)'),
      [{ odd: 0 }],
    )
    const medians = await rows<{ report_date: string; median: number }>(
      `SELECT report_date, round(median(value), 1) AS median FROM call_report_items
       WHERE substring(mdrm, 5) = '7204' GROUP BY report_date ORDER BY report_date`,
    )
    for (const { report_date, median } of medians)
      t.ok(median > 8 && median < 13, `${report_date}: ${median} %`)
  })

  t.test('only known kinds of items are text', async (t) => {
    const text = await rows<{ item: string }>(
      `SELECT DISTINCT mdrm AS item FROM call_report_items WHERE text IS NOT NULL AND text != 'CONF'
       AND NOT match(mdrm, '^(TEXT|TE[0-9]{2}|RSSD)') ORDER BY item`,
    )
    const items = [...new Set(text.map(({ item }) => item.slice(4)))].sort()
    t.strictSame(items, ['6724', '8678', '9106', '9224', '9999'])
  })

  t.test('filers', async (t) => {
    t.strictSame(
      await rows(
        'SELECT toString(report_date) AS date, count() AS filers FROM filers GROUP BY date ORDER BY date',
      ),
      [
        { date: '2012-06-30', filers: 7314 },
        { date: '2014-03-31', filers: 6794 },
        { date: '2018-12-31', filers: 5456 },
        { date: '2019-09-30', filers: 5308 },
      ],
    )
  })

  const sdi = join(DATA, 'fdic-sdi')
  t.test('institutions of six quarters', { skip: existsSync(sdi) ? false : `no ${sdi}` }, async (t) => {
    const { editions } = await load('fdic-institutions', [sdi])
    t.equal(editions.filter(({ status }) => status === 'published').length, 6)
    const [joined] = await rows<{ share: number }>(
      `SELECT countIf(rssd_id IN (SELECT rssd_id FROM fdic_institutions WHERE report_date = '2018-09-30')) / count() AS share
       FROM filers WHERE report_date = '2018-12-31'`,
    )
    t.ok(joined!.share > 0.98, `${joined!.share} of the filers are found by RSSD ID`)
  })
})
