// Lines that go to the engine in runs are the records that they are when they are cut one by one.
import t from 'tap'
import { recordsSql } from '../../loaders/declared/compile.ts'
import { RecordCutter, type TextRecord } from '../../loaders/declared/records.ts'
import { RECORD_COLUMNS } from '../../loaders/declared/rowbinary.ts'
import { send } from '../../loaders/declared/stage.ts'
import { silent } from '../../loaders/lib/progress.ts'
import { quoted } from '../../sql/quoted.ts'
import { csv, type TextForm } from '../../sql/sources/declare.ts'
import { testEngine } from '../helpers/engine.ts'

/** Thousands of plain lines with what a publisher may put between them. */
function textOf(delimiter: string): Buffer {
  const odd = [
    '',
    '\n',
    '\r\n\r\n',
    `"a ${delimiter} b"${delimiter}"over\ntwo lines"\n`,
    `"a ""quoted"" word"${delimiter}""${delimiter}"1,234"\r\n`,
    `""${delimiter}"${delimiter}""${delimiter}"\n`,
    '""\n',
    `"closed"within${delimiter}b\n`,
    `"a\r"${delimiter}"b\r"\n`,
    `5" wide${delimiter}x\r\n`,
    `na\u00efve${delimiter}\u2013\n`,
    `with\u00a0a space${delimiter}z\n`,
    `a\0b${delimiter}c\n`,
  ]
  const lines = Array.from({ length: 9000 }, (_, at) => {
    const line = `${at}${delimiter}${'x'.repeat(at % 70)}${delimiter}${at * 7}${at % 5 === 0 ? '\r\n' : '\n'}`
    return at % 450 === 0 ? `${line}${odd[(at / 450) % odd.length]}` : line
  })
  const latin = Buffer.from(`caf\xe9${delimiter}\x96${delimiter}\n`, 'latin1')
  return Buffer.concat([Buffer.from(lines.join('')), latin, Buffer.from(`last${delimiter}\r`)])
}

t.test('however the chunks fall', async (t) => {
  const { engine } = await testEngine(t)
  const client = engine.loader('default')
  await client.command({ query: 'CREATE DATABASE banking_v_runs' })
  const into = 'banking_v_runs.lines'
  await client.command({
    query: `CREATE TABLE ${into} (line UInt32, fault String, text String) ENGINE = MergeTree ORDER BY line`,
  })

  async function read(form: TextForm, chunk: number, runs: boolean) {
    const cutter = new RecordCutter(form, 'a.csv')
    cutter.runs = runs
    const bytes = textOf(form.delimiter)
    let longest = 0
    async function* records(): AsyncGenerator<TextRecord> {
      for (let at = 0; at < bytes.length; at += chunk)
        for (const record of cutter.push(bytes.subarray(at, at + chunk))) {
          longest = Math.max(longest, record.run ?? 0)
          yield record
        }
      yield* cutter.finish()
    }
    const sql = recordsSql(`(SELECT * FROM input(${quoted(RECORD_COLUMNS)}))`, form.quoted)
    const count = await send(
      client,
      `${into} SELECT line, fault, text FROM ${sql}`,
      { records: records() },
      silent,
    )
    const answer = await client.query({ query: `SELECT * FROM ${into} ORDER BY line`, format: 'JSONEachRow' })
    const rows = await answer.json<{ line: number; fault: string; text: string }>()
    await client.command({ query: `TRUNCATE TABLE ${into}` })
    return { count, rows, longest }
  }

  for (const form of [csv(), csv({ delimiter: '|', quoted: false })]) {
    const name = form.quoted ? 'with quotes' : 'without quotes'
    const one = await read(form, 1 << 16, false)
    t.ok(one.rows.length > 9000)
    for (const chunk of [5_000, 1 << 16]) {
      const { longest, ...runs } = await read(form, chunk, true)
      t.ok(longest > 50, `${name}, ${chunk} bytes: there are runs`)
      t.strictSame(runs, { count: one.count, rows: one.rows }, `${name}, ${chunk} bytes: the same records`)
    }
  }
})
