/** The industry as one bank: through time, by size, and by risk. */
import { useAnswer } from '../lib/api.ts'
import { industryGroups, industryTrends } from '../lib/headline.ts'
import { named } from '../lib/metrics.ts'
import { exact, figure, short, THOUSANDS } from '../lib/numbers.ts'
import { Shown } from '../parts/asked.tsx'
import { List } from '../parts/list.tsx'
import { datesOf, valuesOf } from '../parts/multiples.tsx'
import { Named } from '../parts/named.tsx'
import { Lines } from '../pictures/lines.tsx'

/** What is counted is no metric. */
const filers = { key: 'banks', label: 'Banks that filed', unit: 'count' } as const

export function Industry() {
  const history = useAnswer('The industry through time', 'industry-trends', {})
  const groups = useAnswer('By size', 'peer-groups', {})
  return (
    <>
      <h1>The banking industry</h1>
      <p class="lede">All banks as one: what they filed, summed, and ratios of the sums.</p>
      <Named universe="bank">
        {(metrics) => (
          <>
            <Shown asked={history} what="the industry">
              {({ data }) => (
                <div class="multiples">
                  {[filers, ...named(metrics, industryTrends)].map(({ key, label, unit }) => (
                    <Lines
                      key={key}
                      small
                      height={150}
                      name={label}
                      unit={unit}
                      dates={datesOf(data)}
                      lines={[{ name: label, mark: 'main', values: valuesOf(data, key) }]}
                    />
                  ))}
                </div>
              )}
            </Shown>
            <section aria-labelledby="groups">
              <h2 id="groups">By size</h2>
              <Shown asked={groups} what="the groups">
                {({ data }) => {
                  const columns = [{ ...filers, label: 'Banks' }, ...named(metrics, industryGroups)]
                  return (
                    <List
                      name="Groups of banks"
                      heads={['Total assets of the bank', ...columns.map(({ label }) => label)]}
                      rows={data.map((row) => ({
                        key: row.cohort,
                        cells: [
                          row.label,
                          ...columns.map(({ key, unit }) => {
                            const value = valuesOf([row], key)[0]
                            return (
                              <span key={key} title={exact(value, unit)}>
                                {unit === THOUSANDS ? short(value, unit) : figure(value, unit)}
                              </span>
                            )
                          }),
                        ],
                      }))}
                    />
                  )
                }}
              </Shown>
            </section>
          </>
        )}
      </Named>
    </>
  )
}
