/** The figures of a credit union or a holding company: now with their places in the cohort, and through time. */
import type { ComponentChildren } from 'preact'
import type { Asked, Columns } from '../lib/api.ts'
import { steady } from '../lib/headline.ts'
import { type Kind, kinds } from '../lib/kinds.ts'
import { figure } from '../lib/numbers.ts'
import { adjust } from '../lib/router.ts'
import { cohortOf, standingsOf } from '../lib/standing.ts'
import { Shown } from './asked.tsx'
import { Tiles } from './headline.tsx'
import { Lineage } from './lineage.tsx'
import { Multiples } from './multiples.tsx'

export function AgainstCohort({
  asked,
  kind,
  id,
  name,
  metrics,
  opened,
  children,
}: {
  /** Trends against the cohort. */
  asked: Asked<Columns>
  kind: Kind
  /** Of the institution, as its name is. */
  id: number
  name: string
  /** In the order shown. */
  metrics: readonly string[]
  /** The metric that is opened. */
  opened: string | null
  /** Between its figures and their course. */
  children?: ComponentChildren
}) {
  return (
    <Shown asked={asked} what="the figures">
      {({ data }) => {
        const standings = standingsOf(data, metrics)
        const label = cohortOf(data)
        const cohort = `${kinds[kind].plural} of ${label ?? 'its size'}`
        // who files no longer, or each half-year, has no figure of the industry's latest quarter
        const asOf = standings[0]?.dates.at(-1) ?? null
        return (
          <>
            <section aria-labelledby="figures">
              <h2 id="figures">Figures {label && <span class="mild">against {cohort}</span>}</h2>
              <Tiles
                cohort={cohort}
                onOpen={(metric) => adjust({ metric })}
                tiles={standings.map(({ key, label: text, unit, values, percentiles, median }) => {
                  const middle = median.at(-1)
                  return {
                    ...{ key, label: text, unit, value: values.at(-1) },
                    ...(label && { percentile: percentiles.at(-1) ?? null }),
                    ...(middle != null && { note: `median ${figure(middle, unit)}` }),
                  }
                })}
              />
              <p class="mild">Each figure opens where it comes from, down to the items filed.</p>
            </section>
            {children}
            <section aria-labelledby="trends">
              <h2 id="trends">Through time</h2>
              <Multiples {...{ name, cohort }} standings={steady(standings)} />
            </section>
            {opened && (
              <Lineage
                key={opened}
                {...{ kind, id, name, asOf, metric: opened }}
                onClose={() => adjust({ metric: null })}
              />
            )}
          </>
        )
      }}
    </Shown>
  )
}
