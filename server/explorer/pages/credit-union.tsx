/** One credit union: its figures against those of its size, now and through time. */
import { useAnswer, useColumns } from '../lib/api.ts'
import { creditUnionTrends as metrics } from '../lib/headline.ts'
import { quarter } from '../lib/numbers.ts'
import type { PageProps } from '../lib/router.ts'
import { AgainstCohort } from '../parts/against-cohort.tsx'
import { Note, Shown } from '../parts/asked.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { MadeOf, useParts } from '../parts/made-of.tsx'

const QUARTERS = 40

export function CreditUnion({ id, query }: PageProps) {
  const cu_number = Number(id)
  const snapshot = useAnswer('Snapshot', 'credit-union-snapshot', { cu_number })
  const standing = useColumns('Trends against its cohort', 'credit-union-trends', {
    ...{ cu_number, quarters: QUARTERS, against: 'cohort', metrics },
  })
  const parts = useParts('credit-union', cu_number)
  useTitle(snapshot.answer?.data.legal_name)
  return (
    <>
      {!snapshot.answer && <h1>Credit union {id}</h1>}
      <Shown asked={snapshot} what="the credit union" absent={<Nobody kind="credit-union" id={id} />}>
        {({ data }) =>
          !data.report_date ? (
            <Note page title="This credit union has filed nothing that is held" />
          ) : (
            <>
              <h1>{data.legal_name}</h1>
              <p class="facts">
                <span>Credit union</span>
                <span>
                  {data.city}, {data.state}
                </span>
                <span>{data.charter_type === '1' ? 'Federal charter' : 'State charter'}</span>
                <span class="mild">
                  Charter {data.cu_number} · {quarter(data.report_date)}
                </span>
              </p>
              <Parts kind="credit-union" id={id} page="Overview" />
              <AgainstCohort
                {...{ kind: 'credit-union', id: cu_number, name: data.legal_name, asked: standing, metrics }}
                opened={query.get('metric')}
              />
              <MadeOf kind="credit-union" asked={parts} />
            </>
          )
        }
      </Shown>
    </>
  )
}
