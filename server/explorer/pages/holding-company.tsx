/** One holding company: its figures against its peer group, now and through time, and the banks that it holds. */
import { useAnswer, useColumns } from '../lib/api.ts'
import { holdingCompanyTrends as metrics } from '../lib/headline.ts'
import { exact, percent, quarter, short, THOUSANDS } from '../lib/numbers.ts'
import type { PageProps } from '../lib/router.ts'
import { AgainstCohort } from '../parts/against-cohort.tsx'
import { Note, Shown } from '../parts/asked.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { List } from '../parts/list.tsx'
import { MadeOf, useParts } from '../parts/made-of.tsx'

const QUARTERS = 40

export function HoldingCompany({ id, query }: PageProps) {
  const rssd_id = Number(id)
  const snapshot = useAnswer('Snapshot', 'holding-company-snapshot', { rssd_id })
  const standing = useColumns('Trends against its peer group', 'holding-company-trends', {
    ...{ rssd_id, quarters: QUARTERS, against: 'cohort', metrics },
  })
  const parts = useParts('holding-company', rssd_id)
  useTitle(snapshot.answer?.data.legal_name)
  return (
    <>
      {!snapshot.answer && <h1>Holding company {id}</h1>}
      <Shown asked={snapshot} what="the holding company" absent={<Nobody kind="holding-company" id={id} />}>
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
              <Parts kind="holding-company" id={id} page="Overview" />
              <AgainstCohort
                {...{ kind: 'holding-company', id: rssd_id, name: data.legal_name, asked: standing, metrics }}
                opened={query.get('metric')}
              >
                <section aria-labelledby="banks">
                  <h2 id="banks">Its banks</h2>
                  {(data.banks ?? []).length === 0 ? (
                    <p class="mild">None is held.</p>
                  ) : (
                    <List
                      name="Banks that it holds"
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
                          bank.share === null ? '–' : percent(bank.share),
                        ],
                      }))}
                    />
                  )}
                </section>
              </AgainstCohort>
              <MadeOf kind="holding-company" asked={parts} />
            </>
          )
        }
      </Shown>
    </>
  )
}
