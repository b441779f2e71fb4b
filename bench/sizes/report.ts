import { table } from '../report.ts'
import type { Asked } from './asked.ts'
import type { Loaded } from './loads.ts'

const number = (value: number | null, digits = 1): string =>
  value === null
    ? '–'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export function markdown(loaded: readonly Loaded[], asked: readonly Asked[]): string {
  const sum = (of: (one: Loaded) => number | null) => loaded.reduce((total, one) => total + (of(one) ?? 0), 0)
  const loads = loaded.map((one) => [
    one.source,
    one.holds,
    number(one.megabytes, 0),
    number(one.rows, 0),
    number(one.seconds),
    number(one.cpuSeconds),
    one.megabytes > 0 && one.cpuSeconds ? number((2 * one.megabytes) / one.cpuSeconds, 0) : '',
    number(one.peakMb, 0),
  ])
  const all = [
    'all',
    '',
    number(
      sum(({ megabytes }) => megabytes),
      0,
    ),
    number(
      sum(({ rows }) => rows),
      0,
    ),
  ]
  const costs = [number(sum(({ seconds }) => seconds)), number(sum(({ cpuSeconds }) => cpuSeconds)), '', '']
  const requests = asked.map((one) => [
    one.dataset,
    `\`${one.example}\``,
    number(one.rows, 0),
    number(one.rowsRead, 0),
    number(one.engineMs),
    number(one.leastMs),
    number(one.cpuMs),
  ])
  const loading = table(
    ['source', 'holds', 'MB', 'rows', 's', 'CPU s', 'MB a second of both cores', 'peak MB'],
    [...loads, [...all, ...costs]],
  )
  const asking = table(
    ['dataset', 'request', 'rows', 'rows read', 'engine ms', 'least ms', 'CPU ms'],
    requests,
  )
  return `${loaded.length > 0 ? `${loading}\n\n` : ''}${asking}\n`
}
