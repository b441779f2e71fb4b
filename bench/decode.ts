/** Rows out of an answer's bytes, as a client would read them. */
import { DataType, tableFromIPC } from 'apache-arrow'
import { parse } from 'csv-parse/sync'
import type { Contestant, Row } from './peers/contestant.ts'
import type { Format, Question } from './question.ts'

/** Of answers longer than this every so manieth row is looked at. */
const MOST_ROWS = 60_000

export function decode(contestant: Contestant, question: Question, format: Format, body: Buffer): Row[] {
  if (format === 'arrow') return fromArrow(body)
  if (format === 'csv') return fromCsv(body)
  return contestant.rows(question, body.toString())
}

function fromArrow(body: Buffer): Row[] {
  const table = tableFromIPC(body)
  const step = Math.ceil(table.numRows / MOST_ROWS)
  const columns = table.schema.fields.map((field) => ({
    name: field.name,
    vector: table.getChild(field.name)!,
    isDate: DataType.isDate(field.type),
  }))
  const rows: Row[] = [{ rows: table.numRows }]
  for (let i = 0; i < table.numRows; i += step) {
    rows.push(
      Object.fromEntries(
        columns.map(({ name, vector, isDate }) => {
          const value: unknown = vector.get(i)
          if (isDate) return [name, new Date(Number(value)).toISOString().slice(0, 10)]
          return [name, typeof value === 'bigint' ? Number(value) : value]
        }),
      ),
    )
  }
  return rows
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

function fromCsv(body: Buffer): Row[] {
  return parse(body, {
    columns: true,
    cast: (text, { header }) => {
      if (header) return text
      if (text === '') return null
      return NUMBER.test(text) ? Number(text) : text
    },
  }) as Row[]
}
