/** What this server holds, of whom, and how fresh it is. */
import { useAnswer } from '../lib/api.ts'
import { day, figure, quarter } from '../lib/numbers.ts'
import { Shown } from '../parts/asked.tsx'
import { List } from '../parts/list.tsx'

export function Sources() {
  const sources = useAnswer('Sources', 'reference-sources', {})
  return (
    <>
      <h1>Sources</h1>
      <p class="lede">
        Whose files this server holds, how many rows it keeps of them, and when it last read one.
      </p>
      <Shown asked={sources} what="the sources">
        {({ data, meta }) => (
          <>
            {meta.synthetic && data.every(({ files }) => files === 0) && (
              <p>No file of any of them is loaded yet: what the other pages show is invented.</p>
            )}
            <List
              name="What is held"
              heads={['Source', 'Rows', 'Quarters', 'Last read']}
              rows={[...data]
                .sort((a, b) => Number(b.files > 0) - Number(a.files > 0))
                .map((source) => ({
                  key: source.key,
                  cells: [
                    <span key="name">
                      {/^https:/.test(source.address) ? (
                        <a href={source.address} rel="noreferrer">
                          {source.name}
                        </a>
                      ) : (
                        source.name
                      )}{' '}
                      <span class="mild">{source.publisher}</span>
                      <br />
                      <span class="mild told">
                        {source.what} {source.licence}.
                      </span>
                    </span>,
                    source.files === 0 ? 'not loaded' : figure(source.rows_kept, 'count'),
                    source.first_quarter && source.last_quarter
                      ? `${quarter(source.first_quarter)} to ${quarter(source.last_quarter)}`
                      : '–',
                    source.last_loaded_at ? day(source.last_loaded_at) : '–',
                  ],
                }))}
            />
          </>
        )}
      </Shown>
    </>
  )
}
