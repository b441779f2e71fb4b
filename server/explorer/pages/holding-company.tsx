/** One holding company: its figures, through time, and the banks that it holds. */

import { useAnswer } from '../lib/api.ts'
import type { MetricName } from '../lib/headline.ts'
import { exact, type Figure, quarter, short, THOUSANDS } from '../lib/numbers.ts'
import type { PageProps } from '../lib/router.ts'
import { Note, Shown } from '../parts/asked.tsx'
import { Tiles } from '../parts/headline.tsx'
import { List } from '../parts/list.tsx'
import { Multiples } from '../parts/multiples.tsx'

const QUARTERS = 40

const metrics = [
  ['total_assets', 'Total assets', THOUSANDS],
  ['total_loans', 'Total loans', THOUSANDS],
  ['total_deposits', 'Total deposits', THOUSANDS],
  ['total_equity', 'Equity', THOUSANDS],
  ['net_income', 'Net income, year to date', THOUSANDS],
  ['roa', 'Return on assets', 'percent'],
  ['roe', 'Return on equity', 'percent'],
  ['nim', 'Net interest margin', 'percent'],
  ['efficiency_ratio', 'Efficiency ratio', 'percent'],
  ['cet1_ratio', 'Common equity tier 1 ratio', 'percent'],
  ['noncurrent_loans_ratio', 'Noncurrent loans', 'percent'],
  ['double_leverage', 'Double leverage', 'percent'],
] as const
const names: readonly MetricName[] = metrics.map(([key, label, unit]) => ({ key, label, unit }))

export function HoldingCompany({ id }: PageProps) {
  const rssd_id = Number(id)
  const snapshot = useAnswer('Snapshot', 'holding-company-snapshot', { rssd_id })
  const trends = useAnswer('Trends', 'holding-company-trends', {
    ...{ rssd_id, quarters: QUARTERS },
    metrics: metrics.map(([key]) => key),
  })
  return (
    <>
      {!snapshot.answer && <h1>Holding company {id}</h1>}
      <Shown
        asked={snapshot}
        what="the holding company"
        absent={
          <Note title={`No holding company has the number ${id}`}>
            <p>Search for it by its name, at the top.</p>
          </Note>
        }
      >
        {({ data }) =>
          !data.legal_name ? (
            <Note page title="This holding company has filed nothing that is held">
              <p>It may have been too small to file, or is known by its banks alone.</p>
            </Note>
          ) : (
            <>
              <h1>{data.legal_name}</h1>
              <p class="facts">
                <span>Holding company</span>
                <span>{[data.city, data.hq_state].filter(Boolean).join(', ')}</span>
                <span class="mild">
                  RSSD {data.rssd_id}
                  {data.form && ` · ${data.form}`}
                  {data.report_date && ` · ${quarter(data.report_date)}`}
                </span>
              </p>
              <section aria-labelledby="figures">
                <h2 id="figures">Figures</h2>
                <Tiles
                  tiles={names.map((one) => ({
                    ...one,
                    value: (data as unknown as Record<string, Figure>)[one.key],
                  }))}
                />
              </section>
              <section aria-labelledby="banks">
                <h2 id="banks">Its banks</h2>
                {(data.banks ?? []).length === 0 ? (
                  <p class="mild">None is held.</p>
                ) : (
                  <List
                    heads={['Bank', 'Place', 'Total assets', 'Share held']}
                    rows={data.banks.map((bank) => ({
                      key: String(bank.rssd_id),
                      cells: [
                        <a key="name" href={`/bank/${bank.rssd_id}`}>
                          {bank.legal_name}
                        </a>,
                        `${bank.city}, ${bank.hq_state}`,
                        <span key="assets" title={exact(bank.total_assets, THOUSANDS)}>
                          {short(bank.total_assets, THOUSANDS)}
                        </span>,
                        bank.share === null ? '–' : `${bank.share} %`,
                      ],
                    }))}
                  />
                )}
              </section>
              <Shown asked={trends} what="the trends">
                {({ data: rows }) => (
                  <section aria-labelledby="trends">
                    <h2 id="trends">Through time</h2>
                    <Multiples name={data.legal_name} metrics={names} rows={rows} benchmarks={[]} cohort="" />
                  </section>
                )}
              </Shown>
            </>
          )
        }
      </Shown>
    </>
  )
}
