/** Outlines of the states, read once and only by pages that draw a map. */
import { useEffect, useState } from 'preact/hooks'

/** The plane of the outlines: Albers' projection of the United States, Alaska and Hawaii moved beside the others. */
export const PLANE = { width: 975, height: 610 } as const

/** Two corners on the plane. */
export type Box = readonly [from: readonly [number, number], to: readonly [number, number]]

export interface Outline {
  /** USPS code. */
  readonly state: string
  readonly name: string
  /** A path of SVG on the plane. */
  readonly path: string
  readonly box: Box
}

export interface Outlines {
  readonly states: readonly Outline[]
  /** Where a place lies on the plane; null where the plane does not have it, as Guam. */
  place(longitude: number, latitude: number): readonly [number, number] | null
}

/** Of the plane's width, what a map shows at least: the neighbours tell where it is. */
const LEAST = 0.35
const ROOM = 20

/** The part of the plane that has all of these, in its proportions: left, top and width. */
export function around(boxes: readonly Box[]): readonly [left: number, top: number, width: number] {
  if (boxes.length === 0) return [0, 0, PLANE.width]
  const ratio = PLANE.height / PLANE.width
  const [left, top] = [0, 1].map((i) => Math.min(...boxes.map(([from]) => from[i]!)) - ROOM)
  const [right, bottom] = [0, 1].map((i) => Math.max(...boxes.map(([, to]) => to[i]!)) + ROOM)
  const width = Math.min(PLANE.width, Math.max(right! - left!, (bottom! - top!) / ratio, PLANE.width * LEAST))
  const begin = (from: number, to: number, length: number, most: number): number =>
    Math.min(Math.max(0, (from + to - length) / 2), most - length)
  return [begin(left!, right!, width, PLANE.width), begin(top!, bottom!, width * ratio, PLANE.height), width]
}

let read: Promise<Outlines> | undefined

function outlines(): Promise<Outlines> {
  read ??= makeOutlines().catch((error: unknown) => {
    read = undefined
    throw error
  })
  return read
}

/** Null while they are read, and where they cannot be. */
export function useOutlines(): Outlines | null {
  const [ready, setReady] = useState<Outlines | null>(null)
  useEffect(() => {
    let over = false
    outlines().then(
      (one) => over || setReady(one),
      () => {},
    )
    return () => {
      over = true
    }
  }, [])
  return ready
}

async function makeOutlines(): Promise<Outlines> {
  const [{ default: atlas }, { feature }, { geoAlbersUsa, geoPath }] = await Promise.all([
    import('us-atlas/states-albers-10m.json'),
    import('topojson-client'),
    import('d3-geo'),
  ])
  const topology = atlas as unknown as Topology
  const path = geoPath().digits(1)
  const states = feature(topology, topology.objects.states).features.flatMap((one): Outline[] => {
    const state = codes[String(one.id)]
    return state ? [{ state, name: one.properties.name, path: path(one) ?? '', box: path.bounds(one) }] : []
  })
  // as the outlines were projected
  const project = geoAlbersUsa()
    .scale(1300)
    .translate([PLANE.width / 2, PLANE.height / 2])
  return { states, place: (longitude, latitude) => project([longitude, latitude]) }
}

type Topology = import('topojson-specification').Topology<{
  states: import('topojson-specification').GeometryCollection<{ name: string }>
}>

/** FIPS codes of the states that the plane has. */
const codes: Readonly<Record<string, string>> = Object.fromEntries(
  (
    '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI ' +
    '27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT ' +
    '51VA 53WA 54WV 55WI 56WY'
  )
    .split(' ')
    .map((one) => [one.slice(0, 2), one.slice(2)]),
)
