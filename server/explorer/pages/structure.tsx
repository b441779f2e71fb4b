/** The group that one bank or holding company is part of: who holds it, what it holds, and what it was made of. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { useAnswer, useTables } from '../lib/api.ts'
import { addressOf, kindNames } from '../lib/institutions.ts'
import { day } from '../lib/numbers.ts'
import type { PageProps } from '../lib/router.ts'
import { Shown } from '../parts/asked.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'

type Group = Datasets['bank-structure-full']['row']
type Relative = Group['parents'][number]
type Edge = Group['relationships'][number]

/** Of a group's members, those that are drawn. */
const MOST = 400

export function Structure({ id, kind }: PageProps) {
  const rssd_id = Number(id)
  const asked = useAnswer('Structure', 'bank-structure-full', { rssd_id })
  useTables(
    asked.answer && kind === 'bank'
      ? [{ title: 'Events', key: 'bank-events', parameters: { rssd_id } }]
      : null,
  )
  const name = asked.answer?.data.legal_name ?? `${kindNames[kind]} ${id}`
  useTitle(`Structure of ${name}`)
  return (
    <>
      <h1>{name}</h1>
      <Parts kind={kind} id={id} page="Structure" />
      <Shown asked={asked} what="the structure" absent={<Nobody kind={kind} id={id} />}>
        {({ data }) => (
          <>
            <Group data={data} id={rssd_id} />
            <History title="What became part of it" events={data.predecessors ?? []} />
            <History title="What it became" events={data.successors ?? []} />
          </>
        )}
      </Shown>
    </>
  )
}

function Group({ data, id }: { data: Group; id: number }) {
  const parents = data.parents ?? []
  const subsidiaries = data.subsidiaries ?? []
  const edges = data.relationships ?? []
  if (parents.length + subsidiaries.length === 0)
    return <p class="mild">Nobody is known to hold it, and it holds nobody.</p>
  return (
    <section aria-labelledby="group">
      <h2 id="group">
        The group <span class="mild">as NIC knows it</span>
      </h2>
      {!data.complete && <p class="mild">The group is so large that the furthest are left out.</p>}
      {parents.length > 0 && (
        <>
          <h3>Above it</h3>
          <Branch members={treeOf(id, parents, edges, true)} />
        </>
      )}
      {subsidiaries.length > 0 && (
        <>
          <h3>Below it</h3>
          <Branch members={treeOf(id, subsidiaries.slice(0, MOST), edges, false)} />
          {subsidiaries.length > MOST && (
            <p class="mild">
              The nearest {MOST} of {subsidiaries.length.toLocaleString('en-US')}: the query below has all.
            </p>
          )}
        </>
      )}
    </section>
  )
}

interface Member {
  readonly relative: Relative
  readonly edge: Edge
  /** Those one step further; only where it is drawn first, as it may be held by several. */
  readonly further: readonly Member[]
}

/** Those next to `of`, each with those that are further from it by the shortest way. */
function treeOf(
  of: number,
  relatives: readonly Relative[],
  edges: readonly Edge[],
  upward: boolean,
): Member[] {
  const depths = new Map([[of, 0], ...relatives.map((one) => [one.rssd_id, one.depth] as const)])
  const next = new Map<number, Edge[]>()
  for (const edge of edges) {
    const near = upward ? edge.offspring_rssd_id : edge.parent_rssd_id
    next.set(near, [...(next.get(near) ?? []), edge])
  }
  const known = new Map(relatives.map((one) => [one.rssd_id, one]))
  const drawn = new Set<number>()
  const membersOf = (near: number): Member[] =>
    (next.get(near) ?? []).flatMap((edge) => {
      const relative = known.get(upward ? edge.parent_rssd_id : edge.offspring_rssd_id)
      if (relative?.depth !== depths.get(near)! + 1) return []
      const again = drawn.has(relative.rssd_id)
      drawn.add(relative.rssd_id)
      return [{ relative, edge, further: again ? [] : membersOf(relative.rssd_id) }]
    })
  return membersOf(of)
}

function Branch({ members }: { members: readonly Member[] }) {
  return (
    <ul class="tree">
      {members.map(({ relative, edge, further }) => (
        <li key={`${relative.rssd_id} ${edge.start_date}`}>
          <Who who={relative} /> <span class="mild">{share(edge, relative)}</span>
          {further.length > 0 && <Branch members={further} />}
        </li>
      ))}
    </ul>
  )
}

const banks = new Set(['NAT', 'NMB', 'SMB', 'SSB', 'FSB', 'SAL', 'CPB'])

function Who({ who }: { who: Relative }) {
  const label = who.legal_name ?? `RSSD ${who.rssd_id}`
  if (who.entity_type && banks.has(who.entity_type))
    return <a href={addressOf({ kind: 'bank', id: who.rssd_id })}>{label}</a>
  if (who.entity_type && /^(BHC|FHD|SLHC|IHC)$/.test(who.entity_type))
    return <a href={addressOf({ kind: 'holding-company', id: who.rssd_id })}>{label}</a>
  return <b>{label}</b>
}

function share(edge: Edge, relative: Relative): string {
  const parts = [
    relative.city && relative.state ? `${relative.city}, ${relative.state}` : '',
    edge.percent_equity === null ? (edge.percent_bracket ?? '') : `${edge.percent_equity} %`,
    relative.percent_effective !== null && relative.percent_effective !== edge.percent_equity
      ? `${relative.exact ? '' : 'at least '}${Number(relative.percent_effective.toFixed(2))} % in effect`
      : '',
    relative.controlled ? '' : 'below control',
    `since ${day(edge.start_date)}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

function History({ title, events }: { title: string; events: Group['predecessors'] }) {
  if (events.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ol class="events">
        {events.map((event) => (
          <li key={`${event.rssd_id} ${event.into_rssd_id} ${event.date} ${event.code}`}>
            <time dateTime={event.date}>{day(event.date)}</time>
            <span class={`depth d${Math.min(event.depth, 6)}`}>
              <b>{event.legal_name ?? `RSSD ${event.rssd_id}`}</b> into{' '}
              {event.into_name ?? `RSSD ${event.into_rssd_id}`} <span class="mild">{event.meaning}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
