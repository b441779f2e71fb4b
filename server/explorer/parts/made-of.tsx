/** What loans, deposits and securities of an institution are made of, through time. */
import { type Asked, useAnswer } from '../lib/api.ts'
import { composition, compositions } from '../lib/composition.ts'
import { type Kind, kinds } from '../lib/kinds.ts'
import { THOUSANDS } from '../lib/numbers.ts'
import { adjust } from '../lib/router.ts'
import { Stack } from '../pictures/stack.tsx'
import { Shown } from './asked.tsx'
import { datesOf, type Row } from './multiples.tsx'
import { Named } from './named.tsx'

/** Ten years: beyond that a small picture has no room. */
const QUARTERS = 40

/** The amounts that the pictures are of. */
export function useParts(kind: Kind, id: number): Asked<readonly Row[]> {
  const metrics = compositions[kind].flatMap(({ total, parts }) => [total, ...parts])
  const parameters = { [kinds[kind].id]: id, quarters: QUARTERS, metrics }
  return useAnswer('What it is made of', kinds[kind].datasets.trends, parameters as never)
}

export function MadeOf({ kind, asked }: { kind: Kind; asked: Asked<readonly Row[]> }) {
  const onOpen = (metric: string): void => adjust({ metric })
  return (
    <section aria-labelledby="made">
      <h2 id="made">What it is made of</h2>
      <Shown asked={asked} what="what it is made of">
        {({ data: rows }) => (
          <Named universe={kinds[kind].universe}>
            {(metrics) => {
              const made = compositions[kind].map((one) => ({
                ...one,
                parts: composition(one, rows, metrics),
              }))
              const reported = made.filter(({ parts }) => parts.length > 0)
              return reported.length === 0 ? (
                <p class="mild">It reports none of that.</p>
              ) : (
                <div class="multiples wide-ones">
                  {reported.map(({ name, total, parts }) => (
                    <Stack
                      key={name}
                      {...{ name, parts, onOpen, unit: THOUSANDS, dates: datesOf(rows), whole: total }}
                    />
                  ))}
                </div>
              )
            }}
          </Named>
        )}
      </Shown>
    </section>
  )
}
