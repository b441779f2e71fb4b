/** The start: a search over every institution, the industry now, what failed lately, and the curve. */
import { useAnswer, useTables } from '../lib/api.ts'
import { industryDrawn, industryNow } from '../lib/headline.ts'
import { addressOf } from '../lib/institutions.ts'
import { type Catalog, named } from '../lib/metrics.ts'
import { day, exact, quarter, short, THOUSANDS } from '../lib/numbers.ts'
import { Shown } from '../parts/asked.tsx'
import { Tiles } from '../parts/headline.tsx'
import { datesOf, type Row, valuesOf } from '../parts/multiples.tsx'
import { Named } from '../parts/named.tsx'
import { Search } from '../parts/search.tsx'
import { YieldCurve } from '../pictures/curve.tsx'
import { Lines } from '../pictures/lines.tsx'

/** Failures that are shown. */
const FAILURES = 8

/** What the dashboard has in one piece. */
const tables = [
  {
    title: 'The industry by quarter',
    key: 'industry-trends',
    parameters: { fields: ['report_date', 'banks', ...industryNow] },
  },
  { title: 'Failed lately', key: 'failures', parameters: { limit: FAILURES } },
  { title: 'The curve', key: 'rates-yield-curve', parameters: { latest: true } },
] as const

export function Home() {
  const dashboard = useAnswer('The industry now', 'industry-dashboard', {})
  useTables(dashboard.answer ? tables : null)
  return (
    <>
      <section class="hero" aria-labelledby="title">
        <h1 id="title">US banking, bank by bank, since the first report</h1>
        <p class="lede">
          What every bank, credit union and holding company filed with its regulator, as figures and pictures,
          each with the query behind it for a notebook of your own.
        </p>
        <Search large label="Search all institutions" />
        <p>
          <a href="/screen">Screen all banks</a> by any metric, or see{' '}
          <a href="/screen?state=GA&min_total_assets=500000&show=total_assets,construction_loans,construction_concentration,noncurrent_loans_ratio&sort=-construction_loans">
            Georgia banks over $500 million by construction lending
          </a>
          .
        </p>
      </section>
      <Shown asked={dashboard} what="the industry">
        {({ data }) => (
          <>
            {data.snapshot && (
              <section aria-labelledby="now">
                <h2 id="now">
                  The industry now <span class="mild">{quarter(data.snapshot.report_date)}</span>
                </h2>
                <Named universe="bank">
                  {(metrics) => <Now catalog={metrics} now={data.snapshot!} trends={data.trends} />}
                </Named>
                <p>
                  <a href="/industry">More of the industry</a>
                </p>
              </section>
            )}
            <div class="halves">
              <section aria-labelledby="failed">
                <h2 id="failed">Failed lately</h2>
                {data.failures.length === 0 ? (
                  <p class="mild">No failure is held yet.</p>
                ) : (
                  <table class="figures list">
                    <thead>
                      <tr>
                        <th scope="col">Bank</th>
                        <th scope="col">Closed</th>
                        <th scope="col">Assets</th>
                      </tr>
                    </thead>
                    <tbody>
                      {data.failures.slice(0, FAILURES).map((failure) => (
                        <tr key={`${failure.name} ${failure.failed_date}`}>
                          <th scope="row">
                            {failure.rssd_id === null ? (
                              failure.name
                            ) : (
                              <a href={addressOf({ kind: 'bank', id: failure.rssd_id })}>{failure.name}</a>
                            )}{' '}
                            <span class="mild">
                              {failure.city}, {failure.state}
                            </span>
                          </th>
                          <td>{day(failure.failed_date)}</td>
                          <td title={exact(failure.total_assets, THOUSANDS)}>
                            {short(failure.total_assets, THOUSANDS)}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
                <p>
                  <a href="/failures">Every failure since 1934</a>
                </p>
              </section>
              <section aria-labelledby="curve">
                <h2 id="curve">The curve</h2>
                {data.curve.length === 0 ? (
                  <p class="mild">No yields are loaded yet.</p>
                ) : (
                  <YieldCurve
                    name={`Treasury yields, ${day(data.curve[0]!.date)}`}
                    curves={[
                      {
                        name: day(data.curve[0]!.date),
                        points: data.curve.flatMap(({ tenor, months, yield: of }) =>
                          of === null ? [] : [{ tenor, months, yield: of }],
                        ),
                      },
                    ]}
                  />
                )}
                <p>
                  <a href="/rates">Rates through time</a>
                </p>
              </section>
            </div>
          </>
        )}
      </Shown>
    </>
  )
}

function Now({ catalog, now, trends }: { catalog: Catalog; now: Row; trends: readonly Row[] }) {
  const tiles = [{ key: 'banks', label: 'Banks that filed', unit: 'count' }, ...named(catalog, industryNow)]
  return (
    <>
      <Tiles tiles={tiles.map((one) => ({ ...one, value: valuesOf([now], one.key)[0] }))} />
      <div class="multiples">
        {named(catalog, industryDrawn).map(({ key, label, unit }) => (
          <Lines
            key={key}
            small
            name={label}
            unit={unit}
            height={150}
            dates={datesOf(trends)}
            lines={[{ name: 'Industry', mark: 'main', values: valuesOf(trends, key) }]}
          />
        ))}
      </div>
    </>
  )
}
