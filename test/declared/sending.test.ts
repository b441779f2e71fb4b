import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { TextRecord } from '../../loaders/declared/records.ts'
import { RECORD_COLUMNS } from '../../loaders/declared/rowbinary.ts'
import { send } from '../../loaders/declared/stage.ts'
import { silent } from '../../loaders/lib/progress.ts'
import { testEngine } from '../helpers/engine.ts'

t.test('records that take longer to come than an idle connection is kept are sent', async (t) => {
  const { engine } = await testEngine(t)
  const client = engine.loader('default')
  await client.command({ query: 'CREATE DATABASE banking_v_sending' })
  const into = 'banking_v_sending.records'
  await client.command({
    query: `CREATE TABLE ${into} (${RECORD_COLUMNS}) ENGINE = MergeTree ORDER BY line`,
  })
  const rows = async () =>
    (
      await client.query({ query: `SELECT text FROM ${into} ORDER BY line`, format: 'JSONCompactEachRow' })
    ).json()
  // the engine ends idle connections after five seconds
  async function* records(): AsyncGenerator<TextRecord> {
    await sleep(7000)
    yield { line: 1, fault: '', bytes: Buffer.from('late') }
  }
  t.equal(await send(client, into, { records: records() }, silent), 1)
  t.strictSame(await rows(), [['late']])
  async function* none(): AsyncGenerator<TextRecord> {}
  t.equal(await send(client, into, { records: none() }, silent), 0, 'none are none')
  t.strictSame(await rows(), [['late']])
})
