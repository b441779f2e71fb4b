import t from 'tap'
import { ConfigError, camelCase, readConfig, settings } from '../../server/config.ts'

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
    clickhouseUrl: 'https://ch:8443',
  })
})

t.test('every wrong value is named, with what was expected', async (t) => {
  const wrong = {
    PORT: '65536',
    DEMO_QUARTERS: '9e1',
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
    'DEMO_QUARTERS is "9e1": expected integer from 8 to 200',
    'CLICKHOUSE_URL is "tcp://ch:9000": expected http:// or https:// address',
    'CLICKHOUSE_DATABASE is "bank; DROP": expected a name of letters, digits and _, not beginning with a digit',
  ])
})
