/** One bank: its figures in its cohort, through time, what they are made of, and what happened to it. */
import { type Meta, useAnswer, useColumns, useTables } from '../lib/api.ts'
import { bankTrends } from '../lib/headline.ts'
import { quarter } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { cohortOf, standingsOf } from '../lib/standing.ts'
import { NeedsPlan, Note, Shown } from '../parts/asked.tsx'
import { Events } from '../parts/events.tsx'
import { Tiles } from '../parts/headline.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { Lineage } from '../parts/lineage.tsx'
import { MadeOf, useParts } from '../parts/made-of.tsx'
import { datesOf, Multiples } from '../parts/multiples.tsx'
import { FailureScore } from '../parts/risk.tsx'
import { Scorecard } from '../parts/scorecard.tsx'

/** Ten years: beyond that a small picture has no room. */
const QUARTERS = 40
const REGULATORS: Readonly<Record<string, string>> = { OCC: 'OCC', FDIC: 'FDIC', FED: 'Federal Reserve' }

export function Bank({ id, query }: PageProps) {
  const rssd_id = Number(id)
  const as_of = query.get('as_of')
  const profile = useAnswer('Profile', 'bank-profile', { rssd_id, ...(as_of && { as_of }) })
  const parts = useParts('bank', rssd_id)
  const standing = useColumns('Trends against its cohort', 'bank-trends', {
    ...{ rssd_id, quarters: QUARTERS, against: 'cohort' },
    metrics: bankTrends,
  })
  const ranked = profile.answer?.data.ranks?.map((rank) => rank.metric)
  useTables(
    ranked
      ? [
          {
            ...{ title: 'Figures with their percentiles', key: 'bank-percentile-ranks' },
            parameters: { rssd_id, ...(as_of && { as_of }), metrics: ranked },
          },
          { title: 'Events', key: 'bank-events', parameters: { rssd_id } },
        ]
      : null,
  )
  useTitle(profile.answer?.data.snapshot?.legal_name)
  const open = (metric: string): void => adjust({ metric })
  const metric = query.get('metric')
  const peers = `banks of ${(standing.answer && cohortOf(standing.answer.data)) ?? 'its size'}`
  return (
    <>
      {!profile.answer && <h1>Bank {id}</h1>}
      <Shown asked={profile} what="the bank" absent={<Nobody kind="bank" id={id} />}>
        {({ data, meta }) =>
          !data.snapshot?.report_date ? (
            <Note page title="This bank has filed nothing that is held">
              <p>It is known by its number, {id}, alone.</p>
            </Note>
          ) : (
            <>
              <Identity bank={data.snapshot} quarters={datesOf(parts.answer?.data ?? [])} asOf={as_of} />
              <Parts kind="bank" id={id} page="Overview" />
              <section aria-labelledby="figures">
                <h2 id="figures">
                  Figures <span class="mild">against {peers}</span>
                </h2>
                <Tiles
                  cohort={peers}
                  onOpen={open}
                  tiles={(data.ranks ?? []).map((rank) => ({
                    ...{ key: rank.metric, label: rank.label, unit: rank.unit, value: rank.value },
                    percentile: rank.percentile,
                  }))}
                />
                <p class="mild">Each figure opens where it comes from, down to the items filed.</p>
              </section>
              <section aria-labelledby="trends">
                <h2 id="trends">Through time</h2>
                <Shown asked={standing} what="the trends">
                  {({ data: through }) => (
                    <Multiples
                      name={data.snapshot!.legal_name}
                      standings={standingsOf(through, bankTrends)}
                      cohort={peers}
                    />
                  )}
                </Shown>
              </section>
              <MadeOf kind="bank" asked={parts} />
              <div class="halves">
                <section aria-labelledby="scorecard">
                  <h2 id="scorecard">Scorecard</h2>
                  {data.scorecard ? (
                    <Scorecard card={data.scorecard} onOpen={open} />
                  ) : (
                    <LeftOut meta={meta} part="scorecard" what="the scorecard" />
                  )}
                </section>
                <section aria-labelledby="risk">
                  <h2 id="risk">Failure score</h2>
                  {data.failure_prediction ? (
                    <FailureScore score={data.failure_prediction} asOf={as_of} />
                  ) : (
                    <LeftOut meta={meta} part="failure_prediction" what="the failure score" />
                  )}
                </section>
              </div>
              <section aria-labelledby="events">
                <h2 id="events">Events</h2>
                <Events events={data.events ?? []} id={rssd_id} />
              </section>
              {metric && (
                <Lineage
                  key={metric}
                  {...{ kind: 'bank', id: rssd_id, metric, name: data.snapshot.legal_name }}
                  asOf={data.snapshot.report_date}
                  onClose={() => adjust({ metric: null })}
                />
              )}
            </>
          )
        }
      </Shown>
    </>
  )
}

function LeftOut({ meta, part, what }: { meta: Meta; part: string; what: string }) {
  const left = meta.left_out?.find((one) => one.part === part)
  return left ? (
    <NeedsPlan what={what} reason={left.reason} />
  ) : (
    <p class="mild">None is held for this quarter.</p>
  )
}

interface Who {
  readonly legal_name: string
  readonly city: string | null
  readonly hq_state: string | null
  readonly regulator: string | null
  readonly cert: number | null
  readonly rssd_id: number
  readonly report_date: string
  readonly holding_company_rssd_id: number | null
  readonly holding_company_name: string | null
}

function Identity({ bank, quarters, asOf }: { bank: Who; quarters: readonly string[]; asOf: string | null }) {
  const shown = asOf && !quarters.includes(bank.report_date) ? [...quarters, bank.report_date] : quarters
  return (
    <>
      <h1>{bank.legal_name}</h1>
      <p class="facts">
        <span>Bank</span>
        <span>
          {bank.city}, {bank.hq_state}
        </span>
        {bank.regulator && <span>{REGULATORS[bank.regulator] ?? bank.regulator}</span>}
        {bank.holding_company_rssd_id !== null && (
          <span>
            held by{' '}
            <a href={`/holding-company/${bank.holding_company_rssd_id}`}>
              {bank.holding_company_name ?? 'a company'}
            </a>
          </span>
        )}
        <span class="mild">
          RSSD {bank.rssd_id}
          {bank.cert !== null && `, FDIC certificate ${bank.cert}`}
        </span>
        <label>
          <span class="hidden">Quarter</span>
          <select
            value={asOf ? bank.report_date : ''}
            onChange={(event) => adjust({ as_of: event.currentTarget.value })}
          >
            <option value="">{asOf ? 'Latest quarter' : quarter(bank.report_date)}</option>
            {[...shown].reverse().map((date) => (
              <option key={date} value={date}>
                {quarter(date)}
              </option>
            ))}
          </select>
        </label>
      </p>
    </>
  )
}
