import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { edit, loaderEngine, quarterFiles, zipOf } from './helpers.ts'

const CHILD = new URL('./killed-child.ts', import.meta.url).pathname
const STEP = 7 // statements between two kills: some ten kills over a whole load

t.test(
  'a load killed anywhere leaves what is served, and can be run again',
  { timeout: 240_000 },
  async (t) => {
    const { load, rows, config, sqlFolder } = await loaderEngine(t)
    const folder = await temporaryFolder(t)
    const before = await quarterFiles('2018Q4')
    const refiled = edit(
      edit(before, 'RC', (page) => page.replace('150000', '151000')),
      'POR',
      (page) => page.replace('2019-02-01T09:09:36', '2019-05-01T09:09:36'),
    )
    const [old, fresh] = [join(folder, 'old 12312018.zip'), join(folder, 'fresh 12312018.zip')]
    await writeFile(old, zipOf(before))
    await writeFile(fresh, zipOf(refiled))
    await load('ffiec-call-report', [old])

    const served = () =>
      rows(`SELECT count() AS items, sum(value) AS sum, sum(sipHash64(text)) AS text,
      (SELECT count() FROM filers) AS filers, (SELECT groupArray(name) FROM load_files WHERE in_force) AS files
      FROM call_report_items`)
    const whole = await served()

    // A reader that never rests, to see any state in between.
    let reading = true
    let reads = 0
    const differing: unknown[] = []
    const reader = (async () => {
      for (; reading; reads += 1) {
        const seen = await served()
        if (JSON.stringify(seen) !== JSON.stringify(whole)) differing.push(seen)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })()

    const env = { ...process.env, DATA_DIR: config.dataDir, VERSION_GRACE_SECONDS: '600' }
    const run = async (killAt: number) => {
      const args = ['--import', 'tsx', CHILD, String(killAt), sqlFolder, fresh]
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return { output, code, signal }
    }

    let kills = 0
    let end = await run(STEP)
    for (; end.signal === 'SIGKILL'; end = await run((kills + 1) * STEP)) {
      kills += 1
      // The last kills come after the publish: then the whole of the new version is served.
      if (
        (await rows<{ name: string }>("SELECT name FROM load_files WHERE in_force AND name LIKE 'fresh%'"))
          .length > 0
      )
        break
    }
    reading = false
    await reader
    t.comment(`${kills} kills, ${reads} reads`)
    t.ok(kills >= 5, 'it was killed at many points')
    const late = differing.filter((seen) => !JSON.stringify(seen).includes('fresh 12312018.zip'))
    t.strictSame(late, [], 'no reader ever saw anything but the whole old or the whole new version')

    await load('ffiec-call-report', [fresh])
    const after = (await served()) as { items: number; files: string[] }[]
    t.match(after, [{ items: (whole as { items: number }[])[0]!.items, files: ['fresh 12312018.zip'] }])
    t.strictSame(
      await rows(
        "SELECT value FROM call_report_items WHERE mdrm = 'RCON2170' AND schedule = 'RC' AND rssd_id = 101",
      ),
      [{ value: 151000 }],
    )
  },
)
