import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { launchChromium } from '../../bench/chromium.ts'

/** Closed when the test ends. */
export async function openBrowser(t: Test, executablePath: string): Promise<Browser> {
  const browser = await launchChromium(executablePath)
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
