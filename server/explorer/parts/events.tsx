/** What happened to an institution, the newest first. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { addressOf } from '../lib/institutions.ts'
import { day } from '../lib/numbers.ts'
import { Timeline } from '../pictures/timeline.tsx'

type Event = Datasets['bank-events']['row']

/** A code as words: `civil_money_penalty` is “Civil money penalty”. */
export const sentence = (text: string): string => {
  const words = text.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

export function Events({ events, id }: { events: readonly Event[]; id: number }) {
  if (events.length === 0) return <p class="mild">No event is held.</p>
  return (
    <>
      <Timeline
        name="Events through time"
        groups={groups}
        happenings={events.map((event) => ({
          ...event,
          key: event.event,
          text: told(event, id),
          group: groupOf(event, id),
        }))}
      />
      <List events={events} id={id} />
    </>
  )
}

const groups = ['Became part of it', 'Happened to it', 'Control', 'Offices'] as const

function groupOf({ type, rssd_id }: Event, id: number): (typeof groups)[number] {
  if (type.startsWith('control')) return 'Control'
  if (type.startsWith('branch')) return 'Offices'
  return rssd_id === id ? 'Happened to it' : 'Became part of it'
}

/** Of whom an event is told beside the institution: the other one. */
const otherOf = (event: Event, id: number): [number: number | null, name: string | null] =>
  event.rssd_id === id
    ? [event.counterparty_rssd_id, event.counterparty_name]
    : [event.rssd_id, event.legal_name]

function told(event: Event, id: number): string {
  const [, name] = otherOf(event, id)
  return `${sentence(event.type)}${name ? `${event.rssd_id === id ? ', with' : ' of'} ${name}` : ''}`
}

function List({ events, id }: { events: readonly Event[]; id: number }) {
  return (
    <ol class="events">
      {events.map((event) => {
        const self = event.rssd_id === id
        const [other, name] = otherOf(event, id)
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
