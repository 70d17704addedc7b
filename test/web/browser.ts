import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// The first is the same engine without all that windows need, and takes half of the time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Where the browser of this machine is, if it has one. */
export const executablePath = [process.env.CHROME_PATH ?? '', ...NAMES.map((name) => `/usr/bin/${name}`)].find(
  (path) => path !== '' && existsSync(path),
)

/** A real browser without a window. */
export async function openBrowser(args: readonly string[] = ['--disable-gpu']): Promise<Browser> {
  assert.ok(executablePath, 'There is no Chromium on this machine: install it, or set CHROME_PATH.')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] })
}
