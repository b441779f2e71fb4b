/** The group that one bank or holding company is part of: who holds it, what it holds, and what it was made of. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { useAnswer, useTables } from '../lib/api.ts'
import { addressOf, kindNames } from '../lib/institutions.ts'
import { day, percent } from '../lib/numbers.ts'
import type { PageProps } from '../lib/router.ts'
import { Shown } from '../parts/asked.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { Picture } from '../pictures/picture.tsx'

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
  // banks go by the name that their other pages have
  const bank = useAnswer('', 'bank-structure', kind === 'bank' ? { rssd_id } : null)
  const name =
    bank.answer?.data.legal_name ??
    (bank.waiting ? undefined : asked.answer?.data.legal_name) ??
    `${kindNames[kind]} ${id}`
  useTitle(`Structure of ${name}`)
  return (
    <>
      <h1>{name}</h1>
      <Parts kind={kind} id={id} page="Structure" />
      <Shown asked={asked} what="the structure" absent={<Nobody kind={kind} id={id} />}>
        {({ data }) => (
          <>
            <Group data={data} />
            <History title="What became part of it" events={data.predecessors ?? []} />
            <History title="What it became" events={data.successors ?? []} />
          </>
        )}
      </Shown>
    </>
  )
}

function Group({ data }: { data: Group }) {
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
        <Tree name="Above it" next="Holds" {...{ data, edges }} relatives={parents} upward />
      )}
      {subsidiaries.length > 0 && (
        <Tree name="Below it" next="Held by" {...{ data, edges }} relatives={subsidiaries} />
      )}
    </section>
  )
}

/** One side of the group, as every picture: with its name, and its table one key away. */
function Tree({
  name,
  next,
  data,
  relatives,
  edges,
  upward = false,
}: {
  name: string
  /** Of the neighbour on the way to the institution itself, as a column's head. */
  next: string
  data: Group
  relatives: readonly Relative[]
  edges: readonly Edge[]
  upward?: boolean
}) {
  const own = data.rssd_id
  const table = () => ({
    heads: ['Institution', 'RSSD', next, 'Steps', 'Place', 'Share', 'Share in effect', 'Control', 'Since'],
    rows: rowsOf(treeOf(own, relatives, edges, upward), data.legal_name ?? `RSSD ${own}`),
  })
  const drawn = Math.min(relatives.length, MOST)
  const count = relatives.length.toLocaleString('en-US')
  const note =
    drawn < relatives.length
      ? `the nearest ${drawn} of ${count} institutions: the table has all`
      : `${count} ${drawn === 1 ? 'institution' : 'institutions'}`
  return (
    <Picture name={name} note={<span class="mild">{note}</span>} table={table} height={0}>
      {() => <Branch members={treeOf(own, relatives.slice(0, MOST), edges, upward)} />}
    </Picture>
  )
}

/** Each member in the order of the tree, with the one that it is drawn under. */
const rowsOf = (members: readonly Member[], under: string): string[][] =>
  members.flatMap(({ relative, edge, further }) => [
    [
      nameOf(relative),
      String(relative.rssd_id),
      under,
      String(relative.depth),
      placeOf(relative) || '–',
      shareOf(edge) || '–',
      effectOf(relative) || '–',
      relative.controlled ? 'yes' : 'no',
      day(edge.start_date),
    ],
    ...rowsOf(further, nameOf(relative)),
  ])

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
  const label = nameOf(who)
  if (who.entity_type && banks.has(who.entity_type))
    return <a href={addressOf({ kind: 'bank', id: who.rssd_id })}>{label}</a>
  if (who.entity_type && /^(BHC|FHD|SLHC|IHC)$/.test(who.entity_type))
    return <a href={addressOf({ kind: 'holding-company', id: who.rssd_id })}>{label}</a>
  return <b>{label}</b>
}

const nameOf = ({ legal_name, rssd_id }: Relative): string => legal_name ?? `RSSD ${rssd_id}`
const placeOf = ({ city, state }: Relative): string => (city && state ? `${city}, ${state}` : '')
const shareOf = ({ percent_equity, percent_bracket }: Edge): string =>
  percent_equity === null ? (percent_bracket ? `${percent_bracket}%` : '') : percent(percent_equity)
const effectOf = ({ percent_effective, exact }: Relative): string =>
  percent_effective === null
    ? ''
    : `${exact ? '' : 'at least '}${percent(Number(percent_effective.toFixed(2)))}`

function share(edge: Edge, relative: Relative): string {
  const parts = [
    placeOf(relative),
    shareOf(edge),
    relative.percent_effective === edge.percent_equity || effectOf(relative) === ''
      ? ''
      : `${effectOf(relative)} in effect`,
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
