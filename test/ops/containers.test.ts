// Nothing here can run containers: the Dockerfile is read by the validator of editors, and both files are held
// against what they name.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { XMLParser } from 'fast-xml-parser'
import t from 'tap'
import { parse } from 'yaml'
import { settings } from '../../server/config/settings.ts'
import { temporaryFolder } from '../helpers/engine.ts'

const file = (path: string) => new URL(`../../${path}`, import.meta.url)
const read = (path: string) => readFile(file(path), 'utf8')

t.test('Dockerfile', async (t) => {
  const text = await read('Dockerfile')
  t.strictSame(validate(text), [])
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const of = (instruction: string) =>
    lines
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1))

  t.ok(of('FROM').length >= 2, 'several stages')
  t.ok(
    of('FROM').every((image) => /^node:24(-|$)/.test(image)),
    'Node 24',
  )
  t.equal(of('USER').at(-1), 'node')
  t.ok(
    lines.indexOf('USER node') > lines.findLastIndex((line) => /^(RUN|COPY) /.test(line)),
    'for all that runs',
  )
  t.match(of('HEALTHCHECK'), [/health\/ready/])
  t.strictSame(of('EXPOSE'), ['8080'], 'the operations port is nobody else’s')
  t.notMatch(of('ENV').join(' '), 'OPS_HOST')
  const { scripts } = JSON.parse(await read('package.json'))
  t.equal(JSON.parse(of('CMD').at(-1)!).join(' '), scripts.start, 'what npm start runs, as process 1')

  for (const [name] of of('ENV')
    .join(' ')
    .matchAll(/\w+(?==)/g))
    t.ok(name in settings || name === 'NODE_ENV', `${name} is a setting`)
  const kept = (await read('.dockerignore')).split('\n')
  for (const copy of of('COPY').filter((one) => !one.startsWith('--')))
    for (const source of copy.split(' ').slice(0, -1)) {
      await t.resolves(access(file(source)), `${source} is there`)
      t.ok(kept.includes(`!${source}`), `${source} is not ignored`)
    }
})

t.test('the image holds every file that the server and the loader import', async (t) => {
  const copied = (await read('Dockerfile'))
    .match(/^COPY (?!--)(.*) \S+$/gm)!
    .join(' ')
    .split(' ')
  const seen = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const text = await read(path)
    for (const [, imported] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g))
      await visit(new URL(imported!, `file:///${path}`).pathname.slice(1))
  }
  for (const path of [
    'server/main.ts',
    'loaders/cli.ts',
    'server/ops/backup-cli.ts',
    'server/explorer/main.tsx',
  ])
    await visit(path)
  t.ok(seen.size > 100, `${seen.size} files`)
  for (const folder of new Set([...seen].map((path) => path.slice(0, path.lastIndexOf('/')))))
    t.ok(
      copied.some((one) => folder === one || folder.startsWith(`${one}/`)),
      `${folder} is copied`,
    )
})

t.test('compose.yaml', async (t) => {
  const compose = parse(await read('compose.yaml'))
  const { api, clickhouse, redis } = compose.services
  t.match(clickhouse.image, /^clickhouse\/clickhouse-server:\d+\.\d+$/, 'a pinned version')
  t.match(redis.image, /^redis:\d/)
  for (const name of Object.keys(api.environment))
    t.ok(name in settings || name === 'TMPDIR', `${name} is a setting`)
  for (const [name, { condition }] of Object.entries<{ condition: string }>(api.depends_on)) {
    t.equal(condition, 'service_healthy')
    t.ok(compose.services[name].healthcheck.test, `${name} says how it is`)
  }
  t.equal(api.read_only, true)
  t.strictSame(api.cap_drop, ['ALL'])
  const roles = await read('sql/roles.sql')
  for (const user of [api.environment.CLICKHOUSE_USER, api.environment.CLICKHOUSE_READER_USER]) {
    t.match(roles, `CREATE USER IF NOT EXISTS ${user}`)
  }
  t.notMatch(roles, /BY '/, 'nobody has a password that stands in the repository')
  for (const service of Object.values<{ tmpfs?: string[] }>(compose.services))
    for (const mount of service.tmpfs ?? []) t.match(mount, /:size=\d+m$/, 'what lies in memory is bounded')
  t.ok(api.volumes.includes(`api:${api.environment.TMPDIR}`), 'what is downloaded lies on disk')
  t.match(await read('Dockerfile'), `DATA_DIR=${api.environment.TMPDIR}\n`, 'and so do long answers')
  for (const service of [api, clickhouse, redis]) {
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(':')
      if (source.startsWith('./')) await t.resolves(access(file(source.slice(2))), source)
      else t.ok(source in compose.volumes, `${source} is declared`)
    }
    for (const { source } of service.configs ?? []) t.ok(compose.configs[source].content, source)
  }
  t.strictSame(api.ports, ['8080:8080'], 'nothing else is published')
  for (const service of [clickhouse, redis]) t.notOk(service.ports)
  const text = await read('compose.yaml')
  for (const [, name, otherwise] of text.matchAll(/\$\{(\w+PASSWORD)(:\?[^}]+)?\}/g))
    t.ok(otherwise || text.includes(`\${${name}:?`), `${name} must be given`)
})

t.test('compose.cluster.yaml', async (t) => {
  const text = await read('compose.cluster.yaml')
  const { services, configs, volumes } = parse(text, { merge: true })
  const apis = Object.keys(services).filter((name) => name.startsWith('api'))
  t.equal(apis.length, 3)
  const { environment } = services[apis[0]!]
  for (const name of apis) {
    t.strictSame(services[name].environment, environment, 'all alike')
    for (const [other, { condition }] of Object.entries<{ condition: string }>(services[name].depends_on)) {
      t.equal(condition, 'service_healthy')
      t.ok(other.startsWith('api') || services[other].healthcheck.test, `${other} says how it is`)
    }
    t.match(configs.balancer.content, `server ${name}:8080 `)
  }
  for (const name of Object.keys(environment))
    t.ok(name in settings || name === 'TMPDIR', `${name} is a setting`)

  const { clickhouse } = new XMLParser({ ignoreAttributes: false }).parse(configs.server.content)
  const { shard: shards, secret } = clickhouse.remote_servers[environment.CLICKHOUSE_CLUSTER]
  t.strictSame(secret['@_from_env'] in services['shard-1-a'].environment, true)
  const hosts: string[] = []
  t.equal(shards.length, 2)
  for (const shard of shards) {
    t.equal(shard.internal_replication, true, 'the builder copies what it has written')
    t.equal(shard.replica.length, 2)
    hosts.push(...shard.replica.map(({ host }: { host: string }) => host))
  }
  for (const host of hosts) t.equal(services[host].hostname, host, 'a server knows itself by its name')
  const urls: string[] = environment.CLICKHOUSE_URL.split(',')
  t.strictSame(urls.map((url) => new URL(url).hostname).sort(), hosts.sort(), 'each is asked')
  const roles = (await read('sql/roles-cluster.sql')) + (await read('sql/roles.sql'))
  for (const user of [environment.CLICKHOUSE_USER, environment.CLICKHOUSE_READER_USER])
    t.match(roles, `CREATE USER IF NOT EXISTS ${user}`)
  for (const [, path] of configs.roles.content.matchAll(/--queries-file \/etc\/banking\/(\S+)/g))
    await t.resolves(access(file(`sql/${path}`)), path)
  for (const [name, service] of Object.entries<Record<string, string[]>>(services)) {
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(':') as [string]
      if (source.startsWith('./')) await t.resolves(access(file(source.slice(2))), source)
      else t.ok(source in volumes, `${source} is declared`)
    }
    t.equal(service.ports !== undefined, name === 'balancer', `${name}: nothing else is published`)
  }
  for (const [, name, otherwise] of text.matchAll(/\$\{(\w+(?:PASSWORD|SECRET))(:\?[^}]+)?\}/g))
    t.ok(otherwise || text.includes(`\${${name}:?`), `${name} must be given`)
})

t.test(
  'the users of the ClickHouse container have the passwords of .env, whatever stands in them',
  async (t) => {
    const compose = parse(await read('compose.yaml'))
    const { content } = compose.configs.roles
    const folder = await temporaryFolder(t)
    // stands for ClickHouse's client, which is not installed here: says what it was called with
    const said = join(folder, 'arguments')
    await writeFile(join(folder, 'clickhouse-client'), `#!/bin/sh\nprintf '%s\\0' "$@" > ${said}\n`, {
      mode: 0o755,
    })
    // Compose writes $$ for $, and the image's entry point sources the file
    await writeFile(join(folder, 'roles.sh'), content.replaceAll('$$', '$'))
    const passwords = {
      CLICKHOUSE_USER: 'admin',
      CLICKHOUSE_PASSWORD: `an admin's "$HOME" \\`,
      BANKING_READER_PASSWORD: `'; DROP USER admin; -- $(touch ${join(folder, 'ran')})`,
      BANKING_LOADER_PASSWORD: `\\' \`id\` "\u00fc" %s {x:String}`,
    }
    for (const name of Object.keys(passwords).filter((one) => one.startsWith('BANKING')))
      t.ok(name in compose.services.clickhouse.environment, name)
    await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', `. ${join(folder, 'roles.sh')}`], {
      env: { ...passwords, PATH: `${folder}:${process.env.PATH}` },
    })
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    t.strictSame((await readFile(said, 'utf8')).split('\0').slice(0, -1), [
      '--user',
      'admin',
      '--password',
      passwords.CLICKHOUSE_PASSWORD,
      `--param_reader_sha256=${sha256(passwords.BANKING_READER_PASSWORD)}`,
      `--param_loader_sha256=${sha256(passwords.BANKING_LOADER_PASSWORD)}`,
      '--queries-file',
      '/etc/banking/roles.sql',
    ])
    t.ok(compose.services.clickhouse.volumes.includes('./sql/roles.sql:/etc/banking/roles.sql:ro'))
    await t.rejects(access(join(folder, 'ran')), 'a password is not run')
  },
)
