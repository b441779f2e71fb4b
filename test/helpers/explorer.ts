import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { watchedPage } from './browser.ts'

/** Where pictures of the pages are left for a person to look at; none are taken where it is not set. */
const SHOTS = process.env.SCREENSHOTS
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Visit {
  readonly page: Page
  /** What the console, the scripts and the answers had to complain of. */
  readonly errors: string[]
}

export interface Visiting {
  readonly origin: string
  readonly browser: Browser
}

/** Opens a page of the explorer and waits until it has read what it shows. */
export async function visit(
  { origin, browser }: Visiting,
  path: string,
  options: { key?: string; width?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<Visit & { outside: string[] }> {
  const { key, ...screen } = options
  const { page, errors, outside } = await watchedPage(browser, origin, screen)
  // a warning is one too many as well
  page.on('console', (message) => message.type() !== 'error' && errors.push(message.text()))
  if (key !== undefined)
    await page.addInitScript(
      `sessionStorage.getItem('key') ?? sessionStorage.setItem('key', ${JSON.stringify(key)})`,
    )
  await page.goto(origin + path)
  await page.waitForLoadState('networkidle')
  return { page, errors, outside }
}

/** Holds that a page is for everybody: nothing that axe finds, in its state now. */
export async function accessible(t: Test, page: Page, what: string): Promise<void> {
  await page.evaluate(axe)
  const found =
    (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ').slice(0, 600)))`)) as string[]
  t.strictSame(found, [], `axe finds nothing: ${what}`)
}

/** @param options.height of what is seen of the page from its top in a small window, as the README has it; default: the whole page */
export async function shot(page: Page, name: string, { height = 0 } = {}): Promise<void> {
  if (!SHOTS) return
  await mkdir(SHOTS, { recursive: true })
  if (height > 0) {
    await page.setViewportSize({ width: 1100, height })
    await page.evaluate('scrollTo(0, 0)')
  }
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: height === 0 })
}

/** Holds what every page must: nothing to complain of, nothing from elsewhere, no wider than its screen, and there by its address. */
export async function sound(
  t: Test,
  { page, errors, outside }: Awaited<ReturnType<typeof visit>>,
): Promise<void> {
  t.strictSame(errors, [], 'the console is silent')
  t.strictSame(outside, [], 'nothing comes from elsewhere')
  const [content, screen] = (await page.evaluate(
    '[document.documentElement.scrollWidth, innerWidth]',
  )) as number[]
  t.ok(content! <= screen!, `${content} of ${screen} pixels`)
  // where a link led inside of the page, the server was not asked
  t.equal((await page.request.get(page.url())).status(), 200, `the server has a page at ${page.url()}`)
}
