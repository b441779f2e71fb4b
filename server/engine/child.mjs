// The process of the embedded engine. Plain JavaScript, so that it starts without a TypeScript loader.
//
// It takes the folder's lock before it touches anything: of several starters exactly one wins, and the kernel
// frees the lock however this process ends. ClickHouse then runs inside one C call, which lasts until stdin is
// closed: so the engine ends with its parent, however that dies.
import { chmodSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DataType, load, open } from 'ffi-rs'

const LOCK_EXCLUSIVE_NOW = 2 | 4 // LOCK_EX | LOCK_NB of flock(2)
const start = JSON.parse(process.env.ENGINE_START)

function call(library, funcName, retType, paramsType, paramsValue) {
  return load({ library, funcName, retType, paramsType, paramsValue })
}
function exit(code) {
  // libchdb's own destructors would run at a plain exit(3), and not come back
  call('c', '_exit', DataType.Void, [DataType.I32], [code])
}

open({ library: 'c', path: start.libraries.c })
const lock = openSync(start.lockFile, 'a', 0o600)
if (call('c', 'flock', DataType.I32, [DataType.I32, DataType.I32], [lock, LOCK_EXCLUSIVE_NOW]) !== 0) {
  process.stderr.write('LOCKED\n')
  exit(75)
}
ftruncateSync(lock)
writeSync(lock, `${process.pid}\n`)

// data and backups hold the digests of keys: they are of this user alone, also where an older program made them
process.umask(0o077)
mkdirSync(start.dataDir, { recursive: true, mode: 0o700 })
chmodSync(start.dataDir, 0o700)
// tables of the system logs of an earlier start cannot be attached again
rmSync(join(start.dataDir, 'data', 'system'), { recursive: true, force: true })
for (const [file, text] of Object.entries(start.files)) {
  rmSync(file, { force: true })
  writeFileSync(file, text, { mode: 0o600 })
}

open({ library: 'chdb', path: start.libraries.chdb })
const listen = start.listen.map((protocol) => `SYSTEM START LISTEN ${protocol}; `).join('')
const query = `${listen}SELECT * FROM file('stdin', LineAsString, 'line String') FORMAT Null`
const args = [
  'clickhouse',
  '--config-file', start.configFile,
  '--path', start.dataDir,
  '--listen_host', '127.0.0.1',
  '--http_port', String(start.port),
  '--log-level', 'warning', // the level in the configuration file is not looked at
  '--query', query,
]
call('chdb', 'chdb_query_cmdline', DataType.Void, [DataType.I32, DataType.StringArray], [args.length, args])
exit(0)
