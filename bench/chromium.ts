import { access } from 'node:fs/promises'
import { type Browser, chromium } from 'playwright-core'

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

/** A browser that asks nothing of anybody on its own. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({
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
