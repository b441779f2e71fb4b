/** Curves as plain SVG: a frame with two axes, and marks at shares of them from 0 to 1. */

/** Each stands out from white and from black; the first is what a page that contains the picture may set. */
const INK = '#757b84'
const BLUE = '#2f7fd6'
const ORANGE = '#d0661a'
export const colours = { ink: 'currentColor', blue: BLUE, orange: ORANGE } as const
export type Colour = keyof typeof colours

const SIZE = { width: 640, height: 400 }
const BOX = { left: 70, right: 620, top: 60, bottom: 340 }

/** Place of a share of an axis, in pixels. */
const across = (share: number): number => round(BOX.left + share * (BOX.right - BOX.left))
const up = (share: number): number => round(BOX.bottom - share * (BOX.bottom - BOX.top))
const round = (pixels: number): number => Math.round(10 * pixels) / 10

export interface Axis {
  /** With the unit. */
  readonly title: string
  readonly ticks: readonly { readonly at: number; readonly words: string }[]
}

export interface Picture {
  readonly title: string
  /** What the picture rests on. */
  readonly basis: string
  readonly x: Axis
  readonly y: Axis
  readonly marks: readonly string[]
  readonly legend?: readonly { readonly colour: Colour; readonly words: string }[]
}

/** A whole file. */
export function picture({ title, basis, x, y, marks, legend = [] }: Picture): string {
  const middle = (BOX.top + BOX.bottom) / 2
  const key = legend.flatMap(({ colour, words }, k) => {
    const left = BOX.right - 80 * (legend.length - k)
    return [
      `<rect x="${left}" y="15" width="10" height="10" fill="${colours[colour]}"/>`,
      text(left + 15, 24, words),
    ]
  })
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" width="${SIZE.width}" height="${SIZE.height}" role="img" color="${INK}" fill="currentColor" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(`${title}: ${basis}`)}</title>`,
    text(BOX.left, 24, title, 'font-size="16" font-weight="bold"'),
    text(BOX.left, 44, basis),
    ...y.ticks.flatMap(({ at, words }) => [
      `<path d="M${BOX.left} ${up(at)}H${BOX.right}" stroke="currentColor" stroke-opacity="0.3"/>`,
      text(BOX.left - 6, up(at) + 4, words, 'text-anchor="end"'),
    ]),
    ...x.ticks.flatMap(({ at, words }) => [
      `<path d="M${across(at)} ${BOX.bottom}v5" stroke="currentColor"/>`,
      text(across(at), BOX.bottom + 19, words, 'text-anchor="middle"'),
    ]),
    `<path d="M${BOX.left} ${BOX.top}V${BOX.bottom}H${BOX.right}" stroke="currentColor" fill="none"/>`,
    text((BOX.left + BOX.right) / 2, BOX.bottom + 42, x.title, 'text-anchor="middle"'),
    text(16, middle, y.title, `text-anchor="middle" transform="rotate(-90 16 ${middle})"`),
    ...marks,
    ...key,
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

export interface Point {
  readonly x: number
  readonly y: number
}

export function curve(points: readonly Point[], colour: Colour, dashed = false): string {
  const places = points.map(({ x, y }) => `${across(x)},${up(y)}`).join(' ')
  return `<polyline points="${places}" fill="none" stroke="${colours[colour]}" stroke-width="${dashed ? 1 : 2}"${dashed ? ' stroke-dasharray="4 4"' : ''}/>`
}

/** A dot, empty where `full` is false, with words above it. */
export function dot({ x, y }: Point, colour: Colour, { full = true, above = '' } = {}): string {
  const circle = `<circle cx="${across(x)}" cy="${up(y)}" r="4" fill="${full ? colours[colour] : 'none'}" stroke="${colours[colour]}" stroke-width="1.5"/>`
  return above === ''
    ? circle
    : `${circle}\n${text(across(x), round(up(y) - 8), above, 'text-anchor="middle"')}`
}

/** A bar from the axis up to a point. */
export function bar({ x, y }: Point, width: number, colour: Colour): string {
  const [left, right] = [across(x - width / 2), across(x + width / 2)]
  return `<rect x="${left}" y="${up(y)}" width="${round(right - left)}" height="${round(BOX.bottom - up(y))}" fill="${colours[colour]}"/>`
}

/** Words within the frame, right of a point. */
export const note = ({ x, y }: Point, words: string): string => text(across(x), up(y), words)

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more === '' ? '' : ` ${more}`}>${escaped(words)}</text>`

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
