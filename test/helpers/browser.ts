import { access } from 'node:fs/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where a Chromium is, of `CHROMIUM` or of the usual places; undefined where none is. */
export async function chromiumPath(): Promise<string | undefined> {
  for (const path of process.env.CHROMIUM ? [process.env.CHROMIUM] : installed) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}

/** A browser that asks nothing of anybody on its own. Closed when the test ends. */
export async function openBrowser(t: Test, executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  t.teardown(() => browser.close())
  return browser
}

export interface Watched {
  readonly page: Page
  /** Errors of the console and of scripts, and answers that are no success. */
  readonly errors: string[]
  /** Requests to any other origin. */
  readonly outside: string[]
}

/** A new page whose mishaps are written down. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: { width?: number; height?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<Watched> {
  const { width = 1280, height = 900, colorScheme = 'light' } = options
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  // a busy machine is slow
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const errors: string[] = []
  const outside: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) outside.push(request.url())
  })
  return { page, errors, outside }
}
