// The rules for Prometheus ask only for metrics that there are, with labels that these have, and each is explained.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { parse } from 'yaml'
import { problems } from '../../server/errors.ts'
import { Gate } from '../../server/http/gate.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { type Watched, watchHistory } from '../../server/ops/state-metrics.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

const read = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
const { groups } = parse(await read('alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const document = await read('operating.md')

const metrics = new Metrics()
metrics.watchProcess()
const gate = new Gate({ slots: 1, longestWaitMs: 1, perClient: 1 })
const idle = {
  engine: { state: () => 'down' },
  gate,
  open: { count: 0 },
  published: () => null,
  fetches: async () => ({ sources: [], tag: '' }),
}
metrics.watch(idle as unknown as Watched)
watchHistory(metrics.registry, { series: { read: 0, lost: 0 }, panels: { read: 0, lost: 0 } })
const known = new Map<string, { labels: readonly string[] }>([['up', { labels: ['job', 'instance'] }]])
for (const { name, type } of await metrics.registry.getMetricsAsJSON()) {
  const { labelNames } = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
  const labels = [...labelNames, 'job', 'instance']
  known.set(name, { labels })
  if (String(type) === 'histogram')
    for (const suffix of ['_bucket', '_sum', '_count'])
      known.set(name + suffix, { labels: [...labels, 'le'] })
}

const WORDS = /^(sum|rate|increase|count|by|on|or|and|unless|without|time|histogram_quantile|e9)$/

t.test('rules', async (t) => {
  t.ok(rules.length > 10)
  t.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, expr, labels, annotations, for: time = '0s' } of rules) {
    await t.test(alert, async (t) => {
      t.match(alert, /^Banking[A-Z]\w+$/)
      t.match(labels.severity, /^(page|warn)$/)
      t.match(time, /^\d+[smh]$/)
      t.ok(annotations.summary)
      let depth = 0
      for (const sign of expr.replaceAll(/"[^"]*"/g, '')) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
      t.equal(depth, 0, 'parentheses close')
      const bare = expr.replaceAll(/\{[^}]*\}|\b(?:by|on) \([^)]*\)|\[\w+\]|(?<!\w)[\d.]+(?:e\d+)?/g, ' ')
      const names = (bare.match(/[a-z_][a-z_0-9]*/g) ?? []).filter((word) => !WORDS.test(word))
      t.ok(names.length > 0)
      for (const name of names) t.ok(known.has(name), `there is a metric ${name}`)
      for (const [, name, selector] of expr.matchAll(/([a-z_0-9]+)\{([^}]*)\}/g))
        for (const [, label, value] of selector!.matchAll(/(\w+)[!=]=?~?"([^"]*)"/g)) {
          t.ok(known.get(name!)?.labels.includes(label!), `${name} has the label ${label}`)
          if (label === 'code') t.ok(value! in problems, `${value} is the code of a problem`)
        }
      t.match(document, new RegExp(`^### ${alert}$`, 'm'), 'docs/operating.md explains it')
    })
  }
})

t.test('docs/operating.md names every metric of the server, and no other', (t) => {
  const stated = new Set<string>()
  for (const [, cell] of document.matchAll(/^\| (`banking_[^|]*) \|/gm)) {
    let stem = ''
    for (const [, name] of cell!.matchAll(/`(\w+)`/g)) {
      if (name!.startsWith('banking_')) {
        stated.add(name!)
        stem = name!.split('_').slice(0, 2).join('_')
      } else stated.add(stem + name)
    }
  }
  const there = metrics.registry.getMetricsAsArray().map(({ name }) => name)
  t.strictSame([...stated].sort(), there.filter((name) => name.startsWith('banking_')).sort())
  t.end()
})
