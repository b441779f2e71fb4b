// The whole UBPR on real filings: the compiler against the interpreter, identities, and what FDIC publishes.
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { interpreter } from '../../sql/formula/index.ts'
import { quartersBefore } from '../../sql/quarter.ts'
import { assembleLoaded } from '../../sql/universes/bank/ubpr/read.ts'
import { fractionItems } from '../../sql/universes/bank/ubpr/units.ts'
import { asOutput } from '../formula/evaluate.ts'
import { bulkFile, noRealData, realData } from './quarters.ts'
import { derivedUbpr } from './ubpr-derived.ts'

const quarters = [
  ...['2017-12-31', '2018-03-31', '2018-06-30', '2018-09-30'],
  ...['2018-12-31', '2019-03-31', '2019-06-30', '2019-09-30'],
]
const published = 'fdic-bankfind/fdic_2018_q4.csv'
const skip = noRealData(published, 'ffiec-call-report', 'ubpr', 'fdic-sdi')

if (skip) t.plan(0, skip)
else {
  const { client, rows } = await derivedUbpr(t, quarters, quarters.map(bulkFile))
  const guide = await assembleLoaded(client)
  const position = new Map(guide.concepts.map(({ code }, index) => [code, index + 1]))
  const value = (code: string) => {
    const at = position.get(code)
    if (at === undefined) throw new Error(`${code} is not computed`)
    return `values[${at}]`
  }

  t.test('every concept with a formula compiles', async (t) => {
    t.comment(`${guide.published} formulas of the guide, ${guide.concepts.length} numeric concepts`)
    for (const { code, label, reason } of guide.refused)
      t.comment(`not computed: ${code} (${label}): ${reason}`)
    const failed = guide.refused.filter(({ kind }) => kind !== 'no-formula')
    t.ok(guide.published > 2400)
    t.ok(failed.length <= 0.01 * guide.published)
  })

  t.test('compiler and interpreter agree on every concept', { timeout: 900_000 }, async (t) => {
    const chosen = await chosenBanks()
    t.equal(chosen.length, 200)
    const forms = new Map<string, string>()
    for (const [date, id, form] of await rows<[string, number, string]>(
      `SELECT report_date, rssd_id, form FROM filers WHERE rssd_id IN (${chosen})`,
    ))
      forms.set(`${date} ${id}`, form)
    const items = new Map<string, Map<string, number>>()
    for (const [date, id, codes, values] of await rows<[string, number, string[], number[]]>(
      `SELECT report_date, rssd_id, groupArray(toString(mdrm)), groupArray(first)
       FROM (SELECT report_date, rssd_id, mdrm, any(value) AS first FROM call_report_items
             WHERE rssd_id IN (${chosen}) AND value IS NOT NULL GROUP BY ALL)
       GROUP BY report_date, rssd_id`,
    ))
      items.set(
        `${date} ${id}`,
        new Map(
          codes.map((code, i) => [
            code,
            fractionItems.includes(code.slice(4)) ? values[i]! / 100 : values[i]!,
          ]),
        ),
      )
    const offices = new Map(
      (
        await rows<[string, number, number | null]>(
          `SELECT report_date, rssd_id, ${value('UBPRD218')} FROM ubpr_rows WHERE rssd_id IN (${chosen})`,
        )
      ).map(([date, id, count]) => [`${date} ${id}`, count]),
    )
    const run = interpreter(guide.formulas)
    const different: string[] = []
    let [compared, filings, known] = [0, 0, 0]
    for (const [reportDate, id, values] of await rows<[string, number, (number | null)[]]>(
      `SELECT report_date, rssd_id, values FROM ubpr_rows WHERE rssd_id IN (${chosen})`,
    )) {
      const at = (offset: number) => `${quartersBefore(reportDate, offset)} ${id}`
      const filing = {
        reportDate,
        // Offices are FDIC's and no item: the interpreter is given the ones that derive took.
        item: (mdrm: string, offset: number) =>
          mdrm === 'FDICOFFS' ? (offset === 0 ? offices.get(at(0)) : null) : items.get(at(offset))?.get(mdrm),
        form: (offset: number) => forms.get(at(offset)) ?? null,
      }
      filings++
      guide.concepts.forEach(({ code }, index) => {
        const wanted = asOutput(run(`uc:${code}`, filing))
        const got = values[index]!
        compared++
        if (wanted !== null) known++
        if (wanted !== got && !(wanted === 0 && got === 0))
          different.push(`${code}, RSSD ${id}, ${reportDate}: SQL ${got}, interpreter ${wanted}`)
      })
    }
    t.comment(`${filings} filings, ${compared} values, ${known} not NULL, ${different.length} differ`)
    t.ok(filings > 1300)
    t.ok(known > compared / 4)
    t.same(different.slice(0, 10), [])
  })

  t.test('identities hold in every filing', async (t) => {
    // A balance sheet of rounded thousands may be out by one; a ratio only by what adding it up loses.
    const identities = [
      ['assets are liabilities and capital', 'UBPR2170', ['UBPRD662', 'UBPRG105'], 1],
      ['both sides of the balance sheet are equal', 'UBPR2170', ['UBPR3300'], 1],
      ['total loans are those for sale and those held', 'UBPRD245', ['UBPRB528', 'UBPR5369'], 0],
      ['noncurrent is past due 90 days and nonaccrual', 'UBPR7414', ['UBPRE541', 'UBPRE542'], 1e-9],
      ['interest income is interest expense and the margin', 'UBPRE001', ['UBPRE002', 'UBPRE003'], 1e-9],
    ] as const
    for (const [name, whole, parts, within] of identities) {
      const sum = parts.map(value).join(' + ')
      const [[of, broken]] = (await rows<[number, number]>(
        `SELECT toUInt32(count()), toUInt32(countIf(abs(${value(whole)} - (${sum})) > ${within} * greatest(1, 1e-7 * abs(${value(whole)}))))
         FROM ubpr_rows WHERE isNotNull(${value(whole)} + ${sum})`,
      )) as [[number, number]]
      t.comment(`${name}: ${of - broken} of ${of} filings`)
      t.ok(of > 20_000, `${name}: ${of} filings`)
      t.ok(broken <= of * 0.0005, `${name}: not so in ${broken}`)
    }
    const [[between]] = (await rows<[number]>(
      `SELECT toUInt32(countIf(NOT arrayAll((average, least, most) -> isNull(average) OR (average - least >= -1e-9 * abs(least) AND most - average >= -1e-9 * abs(most)), averages, least, most)))
       FROM ubpr_peers AS p INNER JOIN (
         SELECT report_date, peer_group, minForEach(values) AS least, maxForEach(values) AS most
         FROM ubpr_rows GROUP BY report_date, peer_group
       ) AS r ON r.report_date = p.report_date AND r.peer_group = p.peer_group`,
    )) as [[number]]
    t.equal(between, 0, 'averages lie between the least and the greatest value of their group')
    const [[middle]] = (await rows<[number]>(
      `SELECT max(abs(arrayAvg(arrayFilter(rank -> isNotNull(rank), column)) - 50))
       FROM (SELECT peer_group, groupArrayForEach(ranks) AS columns FROM ubpr_rows
             WHERE report_date = '2018-12-31' AND peer_group != '' GROUP BY peer_group)
       ARRAY JOIN arrayFilter(column -> notEmpty(arrayFilter(rank -> isNotNull(rank), column)), columns) AS column`,
    )) as [[number]]
    t.ok(middle < 1e-6, `ranks of each group and concept have a mean of 50 (out by ${middle})`)
  })

  t.test('concepts that FDIC publishes in its own name', async (t) => {
    const fdic = new Map(
      (
        parse(readFileSync(realData + published), { columns: true, bom: true }) as Record<string, string>[]
      ).map((row) => [Number(row.CERT), row]),
    )
    const five = ['2018-12-31', '2018-09-30', '2018-06-30', '2018-03-31', '2017-12-31']
    const banks = await rows<(number | null)[]>(
      `SELECT f.cert, ${['UBPRE013', 'UBPR7414', 'UBPRD486', 'UBPR4340', 'UBPR1400', 'UBPRD245'].map(value).join(', ')}, a.average
       FROM (SELECT * FROM ubpr_rows WHERE report_date = '2018-12-31') AS r
       INNER JOIN (SELECT rssd_id, cert FROM filers WHERE report_date = '2018-12-31') AS f ON f.rssd_id = r.rssd_id
       INNER JOIN (SELECT rssd_id, avg(${value('UBPR2170')}) AS average FROM ubpr_rows
                   WHERE report_date IN (${five.map((q) => `'${q}'`)}) GROUP BY rssd_id) AS a ON a.rssd_id = r.rssd_id`,
    )
    const agreement = (name: string, field: string, ours: (bank: (number | null)[]) => number | null) => {
      const pairs = banks.flatMap((bank) => {
        const theirs = fdic.get(bank[0]!)?.[field]
        return theirs === undefined || theirs === ''
          ? []
          : [{ cert: bank[0], ours: ours(bank), theirs: Number(theirs) }]
      })
      const apart = pairs.filter(({ ours, theirs }) => !(Math.abs((ours ?? Number.NaN) - theirs) <= 0.01))
      const share = 1 - apart.length / pairs.length
      t.comment(
        `${name} against ${field}: ${(100 * share).toFixed(2)} % of ${pairs.length} banks within 0.01`,
      )
      for (const { cert, ours, theirs } of apart.slice(0, 12))
        t.comment(`  cert ${cert}: ${ours}, FDIC ${theirs}`)
      return { share, banks: pairs.length }
    }
    // FDIC divides by loans net of unearned income, the UBPR by gross ones; without loans FDIC says 0, the UBPR nothing.
    const noncurrent = agreement('UBPR7414', 'NCLNLSR', (bank) => bank[2]!)
    const ofNetLoans = agreement('noncurrent loans of UBPR7414 over net loans', 'NCLNLSR', (bank) =>
      bank[6] === 0 ? 0 : bank[5] === null || bank[6] === null ? null : (100 * bank[5]!) / bank[6]!,
    )
    t.ok(noncurrent.banks > 5300)
    t.ok(noncurrent.share >= 0.97)
    t.ok(ofNetLoans.share >= 0.99)
    t.ok(agreement('UBPRD486', 'RBC1AAJ', (bank) => bank[3]!).share >= 0.99)
    // FDIC averages five balances where the UBPR takes the quarterly averages of Schedule RC-K.
    const whole = agreement('UBPRE013', 'ROA', (bank) => bank[1]!)
    const overBalances = agreement('net income of UBPRE013 over FDIC’s five balances', 'ROA', (bank) =>
      bank[4] === null || !bank[7] ? null : (100 * bank[4]!) / bank[7],
    )
    t.ok(whole.share > 0.6)
    t.ok(overBalances.share >= 0.99, 'the rest are banks that merged in the year, see docs/metrics.md')
  })

  /** All kinds of filers: each form, banks new and gone within the quarters, and those with the oddest filings. */
  async function chosenBanks(): Promise<number[]> {
    const [first, last] = [quarters[0]!, quarters.at(-1)!]
    const spread = (where: string, count: number) =>
      `SELECT rssd_id FROM spans WHERE ${where} ORDER BY cityHash64(rssd_id) LIMIT ${count}`
    const kinds = [
      ...['031', '041', '051'].map((form) =>
        spread(`form = '${form}' AND since = '${first}' AND till = '${last}'`, 45),
      ),
      spread(`since > '${first}'`, 25),
      spread(`till < '${last}'`, 25),
      `SELECT rssd_id FROM spans ORDER BY items, rssd_id LIMIT 20`,
      `SELECT rssd_id FROM spans ORDER BY items DESC, rssd_id LIMIT 20`,
    ]
    const found = await rows<[number]>(
      `WITH spans AS (
         SELECT rssd_id, min(report_date) AS since, max(report_date) AS till, any(f.form) AS form, min(i.items) AS items
         FROM (SELECT report_date, rssd_id, form FROM filers WHERE cert > 0) AS f
         INNER JOIN (SELECT report_date, rssd_id, count() AS items FROM call_report_items GROUP BY ALL) AS i
           ON i.report_date = f.report_date AND i.rssd_id = f.rssd_id
         GROUP BY rssd_id
       )
       SELECT DISTINCT rssd_id FROM (${kinds.map((sql) => `SELECT * FROM (${sql})`).join(' UNION ALL ')})`,
    )
    const ids = found.map(([id]) => id).sort((a, b) => a - b)
    // What kinds have in common leaves room for more.
    const more = await rows<[number]>(
      `SELECT DISTINCT rssd_id FROM ubpr_rows WHERE rssd_id NOT IN (${ids}) ORDER BY cityHash64(rssd_id, 7) LIMIT 200`,
    )
    return [...ids, ...more.map(([id]) => id)].slice(0, 200)
  }
}
