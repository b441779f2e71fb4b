/** How smoothly the grid of a screen scrolls through thousands of rows, by the browser's own frames. */
import type { Page } from 'playwright-core'
import { table } from './report.ts'

/** More than there are institutions of any kind: the rows that the server has, again and again until there are so many. */
export const ROWS = 10_000
/** Pixels that a wheel is turned by in one go: three notches, as a quick hand does. */
const TURN = 360
/** A frame that takes longer is seen as a jerk. */
const JERK_MS = 50

export interface Scrolling {
  readonly by: string
  readonly frames: number
  /** Milliseconds between two frames in which the grid moved: the middle, the 99th of 100 and the longest. */
  readonly middle: number
  readonly p99: number
  readonly longest: number
  /** Of 100 frames. */
  readonly jerks: number
  /** Rows that a frame had room for and did not show, at most, and of how many frames any. */
  readonly blank: number
  readonly blankFrames: number
  /** Tasks of the page that took longer than 50 ms. */
  readonly longTasks: number
}

/**
 * Notes each frame in which the grid has moved: when it was, and how much of the grid's own height has no row. An
 * element that changes its size has its observer called once all else is laid out: what is seen then is what is painted.
 */
const watchFrames = `globalThis.frames = []
globalThis.longTasks = 0
new PerformanceObserver((list) => { globalThis.longTasks += list.getEntries().length }).observe({ type: 'longtask' })
;(() => {
  const grid = document.querySelector('section.rows')
  const head = grid.querySelector('thead').offsetHeight
  const probe = document.body.appendChild(document.createElement('div'))
  probe.style.cssText = 'position: fixed; height: 1px; width: 1px; visibility: hidden'
  let [now, last, at] = [performance.now(), performance.now(), grid.scrollTop]
  new ResizeObserver(() => {
    if (grid.scrollTop !== at) {
      const frame = grid.getBoundingClientRect()
      const rows = grid.querySelectorAll('tbody tr:not(.gap)')
      const first = rows[0].getBoundingClientRect()
      const bottom = Math.min(rows[rows.length - 1].getBoundingClientRect().bottom, frame.bottom)
      const top = Math.max(first.top, frame.top + head)
      const room = Math.min(frame.bottom, grid.lastElementChild.getBoundingClientRect().bottom) - frame.top - head
      globalThis.frames.push([now - last, Math.max(0, room - Math.max(0, bottom - top) - 2) / first.height])
    }
    ;[last, at] = [now, grid.scrollTop]
  }).observe(probe)
  const next = (time) => {
    now = time
    probe.style.width = probe.style.width === '1px' ? '2px' : '1px'
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
})()`

/** Answers what the screen reads with the same rows over and over, so that there are {@link ROWS}. */
export async function filled(page: Page): Promise<void> {
  await page.route('**/api/v1/screeners/**', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: Record<string, unknown[]>; meta: { count: number } }
    const data = Object.fromEntries(
      Object.entries(answer.data).map(([name, values]) => [
        name,
        Array.from({ length: ROWS }, (_, row) => values[row % values.length]),
      ]),
    )
    const json = { ...answer, data, meta: { ...answer.meta, count: ROWS } }
    await route.fulfill({ response, json })
  })
}

/** Scrolls the grid of an open screen down by the wheel, up by Page Up, and from end to end. */
export async function scrolling(page: Page): Promise<Scrolling[]> {
  const grid = page.locator('section.rows')
  await grid.scrollIntoViewIfNeeded()
  const box = (await grid.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(watchFrames)
  await grid.focus()
  const away = (end: 'top' | 'bottom') =>
    page.evaluate(
      end === 'top'
        ? `document.querySelector('section.rows').scrollTop`
        : `(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop)(document.querySelector('section.rows'))`,
    ) as Promise<number>
  const until = async (end: 'top' | 'bottom', step: () => Promise<void>): Promise<void> => {
    while ((await away(end)) > 1) await step()
  }
  const found: Scrolling[] = []
  const watched = async (by: string, work: () => Promise<void>): Promise<void> => {
    await page.evaluate('globalThis.frames.length = globalThis.longTasks = 0')
    await work()
    const [frames, longTasks] = (await page.evaluate('[globalThis.frames, globalThis.longTasks]')) as [
      [number, number][],
      number,
    ]
    found.push({ by, longTasks, ...summary(frames) })
  }
  await watched('wheel, down through all', () => until('bottom', () => page.mouse.wheel(0, TURN)))
  await watched('Page Up, up through all', () => until('top', () => page.keyboard.press('PageUp')))
  await watched('End and Home, ten times each', async () => {
    for (let turn = 0; turn < 10; turn++)
      for (const [key, end] of [
        ['End', 'bottom'],
        ['Home', 'top'],
      ] as const) {
        await page.keyboard.press(key)
        await until(end, () => page.evaluate('new Promise(requestAnimationFrame)') as Promise<void>)
      }
  })
  return found
}

function summary(frames: readonly (readonly [took: number, blank: number])[]) {
  const took = frames.map(([ms]) => ms).sort((a, b) => a - b)
  const at = (share: number): number => took[Math.floor((took.length - 1) * share)]!
  const blanks = frames.map(([, blank]) => Math.ceil(blank - 0.01))
  return {
    frames: frames.length,
    ...{ middle: at(0.5), p99: at(0.99), longest: at(1) },
    jerks: (100 * took.filter((ms) => ms > JERK_MS).length) / took.length,
    blank: Math.max(...blanks),
    blankFrames: (100 * blanks.filter((rows) => rows > 0).length) / blanks.length,
  }
}

export const scrollingText = (scrolled: readonly Scrolling[]): string =>
  table(
    [
      'scrolled by',
      'frames',
      'median, ms',
      'p99, ms',
      'longest, ms',
      `over ${JERK_MS} ms`,
      'long tasks',
      'most blank rows',
      'frames with any',
    ],
    scrolled.map((one) => [
      one.by,
      String(one.frames),
      one.middle.toFixed(1),
      one.p99.toFixed(1),
      one.longest.toFixed(1),
      `${one.jerks.toFixed(1)} %`,
      String(one.longTasks),
      String(one.blank),
      `${one.blankFrames.toFixed(1)} %`,
    ]),
  )
