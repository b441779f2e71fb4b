// Official UBPR values of one bank against the guide's formulas over what it filed, both from FFIEC's XBRL.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { guideRows } from '../../loaders/hooks/ubpr-guide.ts'
import { interpreter } from '../../sql/formula/index.ts'
import { assemble } from '../../sql/universes/bank/ubpr/guide.ts'
import { noRealData, realData } from './quarters.ts'

const [report, filing] = ['ubpr-451965-2026-06-30.xml', 'bank-451965-2026-06-30.xml']
const dictionary = 'ubpr/ubpr-data-dict-v129.json'
const skip = noRealData(`ffiec-xbrl/${report}`, `ffiec-xbrl/${filing}`, dictionary)

/** Facts of the quarter itself, by code; XBRL has dollars and fractions. */
const facts = (file: string) => {
  const text = readFileSync(`${realData}ffiec-xbrl/${file}`, 'utf8')
  const found = text.matchAll(
    /<(?:cc|uc):(\w{8})\b[^>]*contextRef="C[ID]_451965_2026-06-30"[^>]*>([-\d.]+)</g,
  )
  return new Map([...found].map(([, code, value]) => [code!, Number(value)]))
}

t.test('values that FFIEC publishes for Wells Fargo Bank, June 2026', { skip }, async (t) => {
  const bytes = readFileSync(realData + dictionary)
  const rows = guideRows({ bytes, name: dictionary, place: dictionary })
  const guide = assemble(rows.map((row) => ({ ...row, edition_date: '2019-01-01', edition: 'v129' })))
  const [official, filed] = [facts(report), facts(filing)]
  const run = interpreter(guide.formulas)
  const value = (code: string) =>
    run(`uc:${code}`, {
      reportDate: '2026-06-30',
      item: (mdrm, offset) => (offset === 0 ? filed.get(mdrm) : null),
      form: () => '031',
    })
  t.equal(value('UBPR2170'), official.get('UBPR2170'), 'total assets')
  t.equal(
    (value('UBPRD486') as number).toFixed(4),
    official.get('UBPRD486')!.toFixed(4),
    'tier 1 leverage, of a fraction',
  )
  // Its parts by loan type were not published beside it: noncurrent loans are the totals of Schedule RC-N.
  const noncurrent = (100 * (filed.get('RCFD1403')! + filed.get('RCFD1407')!)) / (value('UBPRD245') as number)
  t.equal(noncurrent.toFixed(2), official.get('UBPR7414')!.toFixed(2), 'noncurrent loans')
})
