import t from 'tap'
import { check, compile, FormulaError, mended, parse, renderSql } from '../../sql/formula/index.ts'
import { concepts, noGuide, publishedFormulas } from './guide.ts'

/** Why the text of a formula cannot be what the guide's authors wrote. */
function fault(source: string, error: FormulaError): string {
  if (/found the end of the formula/.test(error.reason)) return 'cut off in the transcription'
  const before = source.slice(0, error.place!.offset).trimEnd()
  const after = source.slice(error.place!.offset)
  if (/[\])]$/.test(before) && /^(cc:|uc:|\()/i.test(after)) return 'an operator is lost between two terms'
  return `not understood: ${error.reason}`
}

t.test('at least 99 % of the published formulas parse', { skip: noGuide }, async (t) => {
  const unparsed = new Map<string, string[]>()
  let all = 0
  for (const [file, formulas] of Object.entries(publishedFormulas())) {
    let parsed = 0
    for (const { key, source } of formulas) {
      try {
        parse(source, key)
        parsed++
      } catch (error) {
        if (!(error instanceof FormulaError)) throw error
        const why = fault(source, error)
        const list = unparsed.get(why) ?? unparsed.set(why, []).get(why)!
        const near = source.slice(Math.max(0, error.place!.offset - 30), error.place!.offset + 20)
        list.push(`${key} at ${error.place!.offset}: …${near}`)
      }
    }
    all += formulas.length
    t.comment(
      `${file}: ${parsed} of ${formulas.length} parse (${((100 * parsed) / formulas.length).toFixed(2)} %)`,
    )
    t.ok(formulas.length > 1000)
  }
  for (const [why, list] of unparsed) {
    t.comment(`${list.length} ${why}`)
    for (const line of new Set(list)) t.comment(`    ${line}`)
  }
  const failed = [...unparsed.values()].flat().length
  t.comment(`${all - failed} of ${all} parse (${(100 - (100 * failed) / all).toFixed(2)} %)`)
  t.ok(failed / all <= 0.01)
  t.same(
    [...unparsed.keys()].filter((why) => why.startsWith('not understood')),
    [],
    'the rest is damaged text',
  )
})

t.test(
  'concepts of the dictionary compile wherever all that they refer to is published',
  { skip: noGuide },
  async (t) => {
    const formulas = concepts()
    const refused = new Map<string, number>()
    const whole = formulas.filter(({ key }) => {
      try {
        return check({ formulas, outputs: [key], items: () => true })
      } catch (error) {
        const { code, reason } = error as FormulaError
        refused.set(`${code}: ${reason}`, (refused.get(`${code}: ${reason}`) ?? 0) + 1)
        return false
      }
    })
    t.comment(`${whole.length} of ${formulas.length} concepts compile`)
    for (const [why, count] of [...refused].sort((a, b) => b[1] - a[1])) t.comment(`${count} refused, ${why}`)
    t.ok(whole.length / formulas.length > 0.94)
    t.ok(
      [...refused.keys()].every((why) => why.startsWith('unknown: ')),
      'only for concepts that the guide does not give',
    )

    const outputs = whole.map((f) => f.key)
    const started = performance.now()
    const plan = compile({ formulas, outputs, items: () => true, reportDates: ['2019-12-31'] })
    const sql = renderSql(plan, { relation: 'filings', keep: ['rssd_id'] })
    const took = Math.round(performance.now() - started)
    const nodes = plan.layers.flat().length
    t.comment(
      `${outputs.length} concepts: ${nodes} nodes, ${plan.layers.length} layers, ${sql.length} bytes, ${took} ms`,
    )
    t.ok(nodes < outputs.length * 3)
  },
)

t.test(
  'what stands between two terms that lost their operator is a minus sign',
  { skip: noGuide },
  async (t) => {
    const [pages, referenced, later] = Object.values(publishedFormulas())
    const bare = (source: string) => source.replace(/\s+/g, '').toUpperCase()
    const parses = (source: string) => {
      try {
        return Boolean(parse(source))
      } catch {
        return false
      }
    }
    const texts = new Map<string, Set<string>>()
    for (const { key, source } of later!) {
      const of = texts.get(key) ?? texts.set(key, new Set()).get(key)!
      if (parses(source)) of.add(bare(source))
    }
    let [mendable, confirmed] = [0, 0]
    for (const { key, source } of [...pages!, ...referenced!]) {
      if (parses(source)) continue
      const text = mended(source)
      t.ok(parses(text), `${key} parses`)
      mendable++
      // An operator of another kind would leave a text that is the same but for that sign.
      const same = [...(texts.get(key) ?? [])].filter(
        (one) => one.replace(/[-+*/]/g, '') === bare(text).replace(/[-+*/]/g, ''),
      )
      for (const one of same) t.equal(one, bare(text), `${key} in the edition of 2019`)
      if (same.length > 0) confirmed++
    }
    t.comment(`${mendable} formulas lost an operator, ${confirmed} stand whole in the later edition`)
    t.ok(confirmed >= 15)
  },
)
