import t from 'tap'
import { ConfigError, camelCase, readConfig } from '../../server/config/config.ts'
import { settings } from '../../server/config/settings.ts'

t.test('without environment, the documented defaults', async (t) => {
  const config = readConfig({}) as unknown as Record<string, unknown>
  for (const [name, setting] of Object.entries(settings)) {
    t.equal(config[camelCase(name)], setting.default, name)
    t.ok(setting.doc.endsWith('.') && setting.type.length > 0, `${name} is documented`)
  }
  t.match(config, {
    host: '127.0.0.1',
    port: 8080,
    dataDir: 'data',
    clickhouseDatabase: 'banking',
    demo: true,
  })
})

t.test('values are read as their types; an empty one counts as not set', async (t) => {
  const env = {
    PORT: '0',
    DEMO: '0',
    DEMO_QUARTERS: ' 100 ',
    LOG_LEVEL: 'debug',
    HOST: '',
    CLICKHOUSE_URL: 'https://ch:8443',
  }
  t.match(readConfig(env), {
    port: 0,
    demo: false,
    demoQuarters: 100,
    logLevel: 'debug',
    host: '127.0.0.1',
    clickhouseUrl: ['https://ch:8443'],
  })
})

t.test('several servers are addresses in their order', (t) => {
  const urls = (text: string) => readConfig({ CLICKHOUSE_URL: text }).clickhouseUrl
  t.strictSame(urls(''), [])
  t.strictSame(urls('http://b:8123, https://a:8443'), ['http://b:8123', 'https://a:8443'])
  const refused = /expected http:\/\/ or https:\/\/ addresses separated by commas, none twice$/
  for (const text of ['http://a,', 'http://a,b:8123', 'http://a:80,http://a/', 'http://a http://b'])
    t.throws(() => urls(text), { message: refused }, text)
  t.end()
})

t.test('every wrong value is named, with what was expected', async (t) => {
  const wrong = {
    PORT: '65536',
    DEMO_QUARTERS: '150',
    DEMO: 'maybe',
    LOG_LEVEL: 'loud',
    CLICKHOUSE_URL: 'tcp://ch:9000',
    CLICKHOUSE_DATABASE: 'bank; DROP',
  }
  const error = t.throws(() => readConfig(wrong)) as unknown as ConfigError
  t.ok(error instanceof ConfigError)
  t.strictSame(error.message.split('\n'), [
    'PORT is "65536": expected integer from 0 to 65535',
    'LOG_LEVEL is "loud": expected one of silent, fatal, error, warn, info, debug, trace',
    'DEMO is "maybe": expected 1 or 0',
    'DEMO_QUARTERS is "150": expected integer from 8 to 100',
    'CLICKHOUSE_URL is "tcp://ch:9000": expected http:// or https:// addresses separated by commas, none twice',
    'CLICKHOUSE_DATABASE is "bank; DROP": expected a name of letters, digits and _, not beginning with a digit',
  ])
  t.throws(() => readConfig({ DEMO_QUARTERS: '9e1' }), { message: /"9e1": expected integer/ })
})
