/** The industry as one bank: through time, by size, and by risk. */
import { useAnswer } from '../lib/api.ts'
import { exact, figure, short, THOUSANDS } from '../lib/numbers.ts'
import { Shown } from '../parts/asked.tsx'
import { List } from '../parts/list.tsx'
import { Lines } from '../pictures/lines.tsx'

const trends = [
  ['banks', 'Banks that filed', 'count'],
  ['total_assets', 'Total assets', THOUSANDS],
  ['total_loans', 'Total loans', THOUSANDS],
  ['total_deposits', 'Total deposits', THOUSANDS],
  ['total_equity', 'Equity', THOUSANDS],
  ['roa', 'Return on assets', 'percent'],
  ['roe', 'Return on equity', 'percent'],
  ['nim', 'Net interest margin', 'percent'],
  ['efficiency_ratio', 'Efficiency ratio', 'percent'],
  ['cet1_ratio', 'Common equity tier 1 ratio', 'percent'],
  ['noncurrent_loans_ratio', 'Noncurrent loans', 'percent'],
  ['net_chargeoffs_ratio', 'Net charge-offs', 'percent'],
] as const

const columns = [
  ['banks', 'Banks', 'count'],
  ['total_assets', 'Total assets', THOUSANDS],
  ['roa', 'Return on assets', 'percent'],
  ['nim', 'Net interest margin', 'percent'],
  ['efficiency_ratio', 'Efficiency ratio', 'percent'],
  ['tier1_leverage_ratio', 'Tier 1 leverage', 'percent'],
  ['noncurrent_loans_ratio', 'Noncurrent loans', 'percent'],
] as const

export function Industry() {
  const history = useAnswer('The industry through time', 'industry-trends', {})
  const groups = useAnswer('By size', 'peer-groups', {})
  return (
    <>
      <h1>The banking industry</h1>
      <p class="lede">All banks as one: what they filed, summed, and ratios of the sums.</p>
      <Shown asked={history} what="the industry">
        {({ data }) => (
          <div class="multiples">
            {trends.map(([key, name, unit]) => (
              <Lines
                key={key}
                small
                height={150}
                name={name}
                unit={unit}
                dates={data.map((row) => row.report_date)}
                lines={[{ name, mark: 'main', values: data.map((row) => row[key] ?? null) }]}
              />
            ))}
          </div>
        )}
      </Shown>
      <section aria-labelledby="groups">
        <h2 id="groups">By size</h2>
        <Shown asked={groups} what="the groups">
          {({ data }) => (
            <List
              heads={['Total assets of the bank', ...columns.map(([, label]) => label)]}
              rows={data.map((row) => ({
                key: row.cohort,
                cells: [
                  row.label,
                  ...columns.map(([key, , unit]) => (
                    <span key={key} title={exact(row[key], unit)}>
                      {unit === THOUSANDS ? short(row[key], unit) : figure(row[key], unit)}
                    </span>
                  )),
                ],
              }))}
            />
          )}
        </Shown>
      </section>
    </>
  )
}
