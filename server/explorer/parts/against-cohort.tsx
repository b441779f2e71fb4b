/** The figures of a credit union or a holding company: now with their places in the cohort, and through time. */
import type { ComponentChildren } from 'preact'
import type { Asked, Columns } from '../lib/api.ts'
import { figure } from '../lib/numbers.ts'
import { cohortOf, standingsOf } from '../lib/standing.ts'
import { Shown } from './asked.tsx'
import { Tiles } from './headline.tsx'
import { Multiples } from './multiples.tsx'

export function AgainstCohort({
  asked,
  name,
  kind,
  metrics,
  children,
}: {
  /** Trends against the cohort. */
  asked: Asked<Columns>
  /** Of the institution. */
  name: string
  /** In the plural: `credit unions`. */
  kind: string
  /** In the order shown. */
  metrics: readonly string[]
  /** Between its figures and their course. */
  children?: ComponentChildren
}) {
  return (
    <Shown asked={asked} what="the figures">
      {({ data }) => {
        const standings = standingsOf(data, metrics)
        const label = cohortOf(data)
        const cohort = `${kind} of ${label ?? 'its size'}`
        return (
          <>
            <section aria-labelledby="figures">
              <h2 id="figures">Figures {label && <span class="mild">against {cohort}</span>}</h2>
              <Tiles
                cohort={cohort}
                tiles={standings.map(({ key, label: text, unit, values, percentiles, median }) => {
                  const middle = median.at(-1)
                  return {
                    ...{ key, label: text, unit, value: values.at(-1) },
                    ...(label && { percentile: percentiles.at(-1) ?? null }),
                    ...(middle != null && { note: `median ${figure(middle, unit)}` }),
                  }
                })}
              />
            </section>
            {children}
            <section aria-labelledby="trends">
              <h2 id="trends">Through time</h2>
              <Multiples {...{ name, standings, cohort }} />
            </section>
          </>
        )
      }}
    </Shown>
  )
}
