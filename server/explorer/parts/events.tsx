/** What happened to an institution, the newest first. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { addressOf } from '../lib/institutions.ts'
import { day } from '../lib/numbers.ts'

type Event = Datasets['bank-events']['row']

/** A code as words: `civil_money_penalty` is “Civil money penalty”. */
export const sentence = (text: string): string => {
  const words = text.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

export function Events({ events, id }: { events: readonly Event[]; id: number }) {
  if (events.length === 0) return <p class="mild">No event is held.</p>
  return (
    <ol class="events">
      {events.map((event) => {
        const self = event.rssd_id === id
        const [other, name] = self
          ? [event.counterparty_rssd_id, event.counterparty_name]
          : [event.rssd_id, event.legal_name]
        return (
          <li key={event.event}>
            <time dateTime={event.date}>{day(event.date)}</time>
            <span>
              <b>{sentence(event.type)}</b>
              {name && (
                <>
                  {self ? ', with ' : ' of '}
                  {other === null ? (
                    name
                  ) : (
                    <a
                      href={addressOf({
                        kind: event.type.startsWith('control') ? 'holding-company' : 'bank',
                        id: other,
                      })}
                    >
                      {name}
                    </a>
                  )}
                </>
              )}{' '}
              <span class="mild">
                {event.meaning} · {event.source}
              </span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
