// What a restore does with a backup that is not sound, with keys, and with what is served already.
import { execFile } from 'node:child_process'
import { cp, readdir, readFile, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createKey, readKeys, revokeKey } from '../../server/access/key-store.ts'
import { readConfig } from '../../server/config/config.ts'
import { beginBuild } from '../../server/engine/build.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { backUp, restore, verify } from '../../server/ops/backup.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

const log = memoryLog()
const dataDir = await temporaryFolder(t)
const backups = await temporaryFolder(t)
await copyUniverse(dataDir)
const env = { DATA_DIR: dataDir, BACKUP_DIR: backups, VERSION_GRACE_SECONDS: '0' }
const config = readConfig(env)
const engine = await openEngine(config, log)
t.teardown(() => engine.close())
const served = (await currentPublication(engine))!
const { key: kept } = await createKey(engine, { plan: 'premium', name: 'kept' })
const { key: leaked } = await createKey(engine, { plan: 'premium', name: 'leaked' })
const watching = async (of: Engine): Promise<string[]> => {
  const query = 'SELECT DISTINCT key_id FROM watch_changes ORDER BY key_id'
  const result = await of.loader().query({ query, format: 'JSONEachRow' })
  return (await result.json<{ key_id: string }>()).map(({ key_id }) => key_id)
}
for (const { id } of [kept, leaked])
  await engine.loader().command({
    query: `INSERT INTO watch_changes SELECT {id:String}, 'bank', 7, now64(6), 'add'`,
    query_params: { id },
  })
await backUp(engine, 'sound', log)

const databases = async (of: Engine): Promise<string[]> => {
  const query = "SELECT name FROM system.databases WHERE name LIKE 'banking%' ORDER BY name"
  const result = await of.loader('default').query({ query, format: 'JSONEachRow' })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}
const inForce = async (of: Engine) =>
  (await readKeys(of)).filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name)
/** The files of a backup whose path ends so, the largest first. */
async function filesOf(name: string, end: string): Promise<string[]> {
  const entries = await readdir(join(backups, name), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sized = await Promise.all(
    files.filter((file) => file.endsWith(end)).map(async (file) => ({ file, size: (await stat(file)).size })),
  )
  return sized.sort((a, b) => b.size - a.size).map(({ file }) => file)
}
async function alter(file: string): Promise<void> {
  const bytes = await readFile(file)
  bytes[bytes.length >> 1]! ^= 0xff
  await writeFile(file, bytes)
}
const only = async (name: string, end: string): Promise<string> => (await filesOf(name, end))[0]!

t.test('a backup is checked without a trace', async (t) => {
  const before = await databases(engine)
  const { publication, path, files } = await verify(engine, 'sound', log)
  t.equal(path, join(backups, 'sound'))
  t.match(publication, { dataVersion: served.dataVersion, database: served.database })
  t.ok(files > 100)
  t.strictSame(await databases(engine), before)
  t.strictSame(await currentPublication(engine), served)
  const sums = await promisify(execFile)('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: path })
  t.equal(sums.stdout, '', 'sha256sum reads the sums')
})

t.test('only this user reads a backup', async (t) => {
  const entries = await readdir(join(backups, 'sound'), { recursive: true, withFileTypes: true })
  t.ok(entries.length > 100)
  const open = await Promise.all(
    entries.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mode & 0o077),
  )
  t.ok(open.every((mode) => mode === 0))
  t.equal((await stat(join(backups, 'sound'))).mode & 0o077, 0)
})

t.test('a backup that is not sound changes nothing, wherever it is torn', async (t) => {
  const withoutSums = (name: string) => unlink(join(backups, name, 'SHA256SUMS'))
  /** Leaves a part out of the backup's own list, so that only the counted rows tell. */
  const forget = async (name: string): Promise<void> => {
    const list = join(backups, name, '.backup')
    const text = await readFile(list, 'utf8')
    const part = /<name>(data\/banking_v_\w+\/bank_quarters\/[^/]+\/)/.exec(text)![1]!
    const shorter = text
      .split('<file>')
      .filter((one) => !one.startsWith(`<name>${part}`))
      .join('<file>')
    await writeFile(list, shorter)
  }
  const faults: Record<string, [RegExp, (name: string) => Promise<void>]> = {
    'a byte of data': [
      /data\.bin is not what was written/,
      async (name) => alter(await only(name, 'data.bin')),
    ],
    'a byte of a view': [
      /ubpr_lines\.sql is not what was written/,
      async (name) => alter(await only(name, 'ubpr_lines.sql')),
    ],
    'a file that is missing': [
      /count\.txt is missing/,
      async (name) => unlink(await only(name, 'count.txt')),
    ],
    'a byte of data, no sums': [
      /Checksum mismatch for file data\.bin/,
      async (name) => {
        await withoutSums(name)
        await alter(await only(name, 'data.bin'))
      },
    ],
    'half a file, no sums': [
      /cannot be read back/,
      async (name) => {
        await withoutSums(name)
        await truncate(await only(name, 'data.bin'), 100)
      },
    ],
    'a part that the backup forgot, no sums': [
      /is damaged: bank_quarters has 0 of \d+ rows of \d{4}-\d\d-\d\d/,
      async (name) => {
        await withoutSums(name)
        await forget(name)
      },
    ],
  }
  const before = await databases(engine)
  for (const [fault, [message, tear]] of Object.entries(faults)) {
    await rm(join(backups, 'torn'), { recursive: true, force: true })
    await cp(join(backups, 'sound'), join(backups, 'torn'), { recursive: true })
    await tear('torn')
    await t.rejects(verify(engine, 'torn', log), { name: 'BackupError', message }, fault)
    await t.rejects(restore(engine, 'torn', { replace: true }, log), { name: 'BackupError', message }, fault)
  }
  t.strictSame(await databases(engine), before)
  t.strictSame(await currentPublication(engine), served)
})

t.test('in place of what is served, what was revoked since stays revoked and later keys stay', async (t) => {
  await revokeKey(engine, leaked.id)
  await createKey(engine, { plan: 'free', name: 'later' })
  const build = await beginBuild(engine, { synthetic: true }, log)
  const next = await build.publish()
  await t.rejects(
    restore(engine, 'sound', { replace: false }, log),
    new RegExp(`${next.dataVersion} is published`),
  )
  const { publication, keysOfBackup } = await restore(engine, 'sound', { replace: true }, log)
  t.equal(publication.dataVersion, served.dataVersion)
  t.ok(publication.publishedAt > next.publishedAt)
  t.strictSame(await currentPublication(engine), publication)
  t.strictSame(await inForce(engine), ['kept', 'later'])
  t.equal(keysOfBackup, 0, 'all that was revoked is known')
  t.strictSame(await watching(engine), [kept.id], 'and what it watched does not come back')
  await (await beginBuild(engine, { synthetic: true }, log)).discard()
  t.strictSame(await databases(engine), ['banking', publication.database], 'the next build clones it')
})

t.test('into a folder that knows of no keys it says so; a failure leaves room for another try', async (t) => {
  const folder = await temporaryFolder(t)
  const empty = await openEngine(readConfig({ ...env, DATA_DIR: folder }), log)
  t.teardown(() => empty.close())
  await t.rejects(restore(empty, 'torn', { replace: false }, log), /is damaged/)
  t.equal(await currentPublication(empty), null, 'nothing of it is served')
  const { publication, keysOfBackup } = await restore(empty, 'sound', { replace: false }, log)
  t.match(publication, { dataVersion: served.dataVersion, publishedAt: served.publishedAt })
  t.equal(keysOfBackup, 2)
  t.strictSame(await inForce(empty), ['kept', 'leaked'])
  t.equal((await readKeys(empty))[0]!.id, kept.id)
  t.strictSame(await watching(empty), [kept.id, leaked.id].sort())
})

t.test('npm run backup says where, and refuses another BACKUP_DIR than the running engine has', async (t) => {
  const run = async (args: string[], more: Record<string, string> = {}) => {
    const script = join(import.meta.dirname, '../../server/ops/backup-cli.ts')
    const given = { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ...more } }
    return promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args], given).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
  }
  const made = await run(['create', 'by-hand'])
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, `backed up ${join(backups, 'by-hand')}: data version ${served.dataVersion}`)
  const elsewhere = await temporaryFolder(t)
  const refused = await run(['create', 'x'], { BACKUP_DIR: elsewhere })
  t.equal(refused.code, 1)
  t.match(
    refused.stderr,
    `BACKUP_DIR is ${elsewhere}, but the server that runs on this DATA_DIR was started with ${backups}`,
  )
  const bad = await run(['verify', 'torn'])
  t.equal(bad.code, 1)
  t.match(bad.stderr, /^The backup torn is damaged: [^\n]+\n$/)
})
