/** How long a browser works at the explorer's pages, by its own clock, beside Datasette's table of the same rows. */
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchChromium } from './chromium.ts'
import { table } from './report.ts'
import { filled, ROWS, type Scrolling, scrolling, scrollingText } from './scrolling.ts'

/** Rounds, each in a browser window that has kept nothing. */
const ROUNDS = 7
/** Steps of a filter's handle. */
const STEPS = 20
/** What `/screen` shows of each bank, as the peer's columns. */
const COLUMNS = [
  'rssd_id',
  'legal_name',
  'hq_state',
  'total_assets',
  'roa',
  'nim',
  'tier1_leverage_ratio',
  'noncurrent_loans_ratio',
]

export interface PageTiming {
  readonly page: string
  /** Milliseconds from the address to the first content, and to the last change of what is shown. */
  readonly first: number
  readonly whole: number
}

export interface PagesReport {
  readonly timings: readonly PageTiming[]
  /** Milliseconds from a press of a key on a filter's handle to the next painted frame: the middle and the longest. */
  readonly step: { readonly middle: number; readonly longest: number }
  readonly scrolled: readonly Scrolling[]
  readonly text: string
}

/** Notes when what is shown changed last, as it is painted. */
const watch = `addEventListener('DOMContentLoaded', () => {
  globalThis.changed = performance.now()
  new MutationObserver(() => requestAnimationFrame(() => { globalThis.changed = performance.now() }))
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
})`

/** Times from a key that is pressed to the frame after what it does. */
const watchKeys = `globalThis.steps = []
addEventListener('keydown', () => {
  const began = performance.now()
  requestAnimationFrame(() => setTimeout(() => globalThis.steps.push(performance.now() - began)))
}, true)`

/**
 * @param origin of this server
 * @param bank whose page is opened
 * @param peer the address of Datasette, which has the latest quarter as `plain/latest`; undefined where it is missing
 * @throws where no Chromium is found
 */
export async function pages(
  origin: string,
  bank: number,
  peer: string | undefined,
  say: (line: string) => void,
): Promise<PagesReport> {
  const executablePath = await chromiumPath()
  if (!executablePath) throw new Error('no Chromium is found: CHROMIUM says where one is')
  const browser = await launchChromium(executablePath)
  try {
    const rows = new URLSearchParams([
      ...COLUMNS.map((name): [string, string] => ['_col', name]),
      ['_size', 'max'],
    ])
    const asked: Record<string, string> = {
      home: `${origin}/`,
      'a screen of all banks': `${origin}/screen`,
      'a bank': `${origin}/bank/${bank}`,
      'its branches on a map': `${origin}/bank/${bank}/branches`,
      ...(peer && { 'Datasette: the rows of the screen': `${peer}/plain/latest?${rows}` }),
    }
    const timings: PageTiming[] = []
    for (const [page, url] of Object.entries(asked)) {
      const rounds: { first: number; whole: number }[] = []
      for (let round = 0; round <= ROUNDS; round++) rounds.push(await opened(browser, url))
      // the first one warms up the server
      const [first, whole] = (['first', 'whole'] as const).map((of) =>
        median(rounds.slice(1).map((one) => one[of])),
      )
      timings.push({ page, first: first!, whole: whole! })
      say(`${page}: first content after ${first!.toFixed(0)} ms, whole after ${whole!.toFixed(0)} ms`)
    }
    const steps = await handleSteps(browser, `${origin}/screen?min_total_assets=100000`)
    const step = { middle: median(steps), longest: Math.max(...steps) }
    const scrolled = await inWindow(browser, async (page) => {
      await filled(page)
      await page.goto(`${origin}/screen`)
      await page.waitForLoadState('networkidle')
      return scrolling(page)
    })
    const text = `${table(
      ['page', 'first content, ms', 'whole, ms'],
      timings.map(({ page, first, whole }) => [page, first.toFixed(0), whole.toFixed(0)]),
    )}\n\nA step of a filter's handle over all banks until it is painted: ${step.middle.toFixed(0)} ms, at most ${step.longest.toFixed(0)} ms of ${STEPS}.\n\nThe grid of a screen that has ${ROWS.toLocaleString('en-US')} rows:\n\n${scrollingText(scrolled)}\n`
    return { timings, step, scrolled, text }
  } finally {
    await browser.close()
  }
}

async function opened(browser: Browser, url: string): Promise<{ first: number; whole: number }> {
  return inWindow(browser, async (page) => {
    await page.addInitScript(watch)
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    return (await page.evaluate(`({
      first: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      whole: Math.max(globalThis.changed, performance.getEntriesByType('navigation')[0].loadEventEnd),
    })`)) as { first: number; whole: number }
  })
}

async function handleSteps(browser: Browser, url: string): Promise<number[]> {
  return inWindow(browser, async (page) => {
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    await page.evaluate(watchKeys)
    await page.locator('input[type=range]').first().focus()
    for (let step = 0; step < STEPS; step++) {
      await page.keyboard.press('ArrowRight')
      // asked through the debugger: the page's own policy lets no text be evaluated in it
      while (((await page.evaluate('globalThis.steps.length')) as number) <= step)
        await page.evaluate('new Promise(requestAnimationFrame)')
    }
    return (await page.evaluate('globalThis.steps')) as number[]
  })
}

async function inWindow<T>(browser: Browser, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(120_000)
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
