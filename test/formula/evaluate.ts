import type { ClickHouseClient } from '@clickhouse/client'
import {
  type FilingValues,
  type FormulaPlan,
  formulaSettings,
  renderSql,
  type Value,
} from '../../sql/formula/index.ts'

/** A bank's report and those before it. */
export interface Filing {
  id: number
  reportDate: string
  /** By offset; absent where there was no filing. */
  quarters: Map<number, { form: string; values: (number | null)[] }>
}

/** What ClickHouse makes of the plan over these filings: by filing id, the outputs in order. */
export async function evaluate(
  client: ClickHouseClient,
  plan: FormulaPlan,
  filings: readonly Filing[],
  dictionary: readonly string[],
  outputs: 'columns' | 'array',
): Promise<Map<number, Value[]>> {
  const columns = [
    'id UInt32',
    'report_date Date',
    ...plan.offsets.map((k) => `p${k} Array(Nullable(Float64))`),
    ...plan.formOffsets.map((k) => `form${k} Nullable(String)`),
  ]
  await client.command({
    query: `CREATE OR REPLACE TABLE formula_test.source (${columns.join(', ')}) ENGINE = MergeTree ORDER BY id`,
  })
  await client.insert({
    table: 'formula_test.source',
    format: 'JSONCompactEachRow',
    values: filings.map(({ id, reportDate, quarters }) => [
      id,
      reportDate,
      ...plan.offsets.map((k) => quarters.get(k)?.values ?? []),
      ...plan.formOffsets.map((k) => quarters.get(k)?.form ?? null),
    ]),
  })
  const query = renderSql(plan, { relation: 'formula_test.source', keep: ['id'], dictionary, outputs })
  const result = await client.query({
    query,
    format: 'JSONCompactEachRow',
    clickhouse_settings: formulaSettings,
  })
  const rows = await result.json<(Value | Value[])[]>()
  return new Map(rows.map(([id, ...rest]) => [Number(id), (outputs === 'array' ? rest[0] : rest) as Value[]]))
}

/** The same filing as the interpreter asks for it. */
export function valuesOf(filing: Filing, dictionary: readonly string[]): FilingValues {
  const positions = new Map(dictionary.map((item, i) => [item, i]))
  return {
    reportDate: filing.reportDate,
    item: (mdrm, offset) => filing.quarters.get(offset)?.values[positions.get(mdrm)!] ?? null,
    form: (offset) => filing.quarters.get(offset)?.form ?? null,
  }
}

/** What a formula's value is as a column: booleans are 1 and 0. */
export const asOutput = (value: Value): Value => (typeof value === 'boolean' ? Number(value) : value)
