// Nothing here can run containers: the Dockerfile is read by the validator of editors, and both files are held
// against what they name.
import { access, readFile } from 'node:fs/promises'
import { validate } from 'dockerfile-utils'
import t from 'tap'
import { parse } from 'yaml'
import { settings } from '../../server/config.ts'

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
  for (const path of ['server/main.ts', 'loaders/cli.ts', 'server/ops/backup-cli.ts']) await visit(path)
  t.ok(seen.size > 100, `${seen.size} files`)
  for (const folder of new Set([...seen].map((path) => path.split('/')[0]!)))
    t.ok(copied.includes(folder), `${folder} is copied`)
})

t.test('compose.yaml', async (t) => {
  const compose = parse(await read('compose.yaml'))
  const { api, clickhouse, redis } = compose.services
  t.match(clickhouse.image, /^clickhouse\/clickhouse-server:\d+\.\d+$/, 'a pinned version')
  t.match(redis.image, /^redis:\d/)
  for (const name of Object.keys(api.environment)) t.ok(name in settings, `${name} is a setting`)
  for (const [name, { condition }] of Object.entries<{ condition: string }>(api.depends_on)) {
    t.equal(condition, 'service_healthy')
    t.ok(compose.services[name].healthcheck.test, `${name} says how it is`)
  }
  t.equal(api.read_only, true)
  t.strictSame(api.cap_drop, ['ALL'])
  const roles = await read('sql/roles.sql')
  for (const user of [api.environment.CLICKHOUSE_USER, api.environment.CLICKHOUSE_READER_USER]) {
    t.match(roles, `CREATE USER IF NOT EXISTS ${user}`)
    t.match(compose.configs.passwords.content, `ALTER USER ${user} `)
  }
  for (const service of [api, clickhouse, redis]) {
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(':')
      if (source.startsWith('./')) await t.resolves(access(file(source.slice(2))), source)
      else t.ok(source in compose.volumes, `${source} is declared`)
    }
    for (const { source } of service.configs ?? []) t.ok(compose.configs[source].content, source)
  }
  const published = api.ports.map((port: string) => port.split(':'))
  t.strictSame(published, [
    ['8080', '8080'],
    ['127.0.0.1', '9464', '9464'],
  ])
  const text = await read('compose.yaml')
  for (const [, name, otherwise] of text.matchAll(/\$\{(\w+PASSWORD)(:\?[^}]+)?\}/g))
    t.ok(otherwise || text.includes(`\${${name}:?`), `${name} must be given`)
})
