import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// The headless shell is the same engine without a window system, and starts twice as fast.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The path of the browser on this machine, if there is one. */
export const executablePath = [process.env.CHROME_PATH ?? '', ...NAMES.map((name) => `/usr/bin/${name}`)].find(
  (path) => path !== '' && existsSync(path),
)

/** A headless browser. */
export async function openBrowser(args: readonly string[] = ['--disable-gpu']): Promise<Browser> {
  assert.ok(executablePath, 'There is no Chromium on this machine: install it, or set CHROME_PATH.')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] })
}
