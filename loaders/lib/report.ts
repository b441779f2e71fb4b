import type { EditionOutcome } from './load-edition.ts'
import type { LoadOutcome } from './run.ts'

/** 0: all that was given is published or was there already; 1: something of it is not. */
export function exitCodeOf(outcome: LoadOutcome): 0 | 1 {
  return outcome.editions.some(({ status }) => status === 'failed') ? 1 : 0
}

/** One line for each edition that failed, and last the summary of one line. */
export function reportLines(outcome: LoadOutcome): string[] {
  const failed = outcome.editions.filter(({ status }) => status === 'failed')
  return [
    ...failed.map(({ name, reason }) => `not loaded: ${name}: ${withoutName(reason ?? '', name)}`),
    summary(outcome),
  ]
}

function summary({ source, dataVersion, editions, seconds }: LoadOutcome): string {
  const count = (status: EditionOutcome['status']) =>
    editions.filter((edition) => edition.status === status).length
  const sum = (key: 'rowsRead' | 'rowsKept' | 'rowsRejected') =>
    editions.reduce((total, edition) => total + edition[key], 0).toLocaleString('en-US')
  const parts = [
    `${count('published')} published`,
    `${count('already-there')} already there`,
    `${count('failed')} failed`,
  ]
  const rows = `${sum('rowsRead')} rows read, ${sum('rowsKept')} kept, ${sum('rowsRejected')} rejected`
  const version = dataVersion ? `data version ${dataVersion}` : 'nothing changed'
  return `${source}: ${parts.join(', ')}; ${rows}; ${version}; ${seconds.toFixed(1)} s`
}

function withoutName(reason: string, name: string): string {
  return reason.startsWith(`${name}: `) ? reason.slice(name.length + 2) : reason
}
