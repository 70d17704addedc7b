import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where the browser of this machine is, if it has one. */
export const executablePath = [process.env.CHROME_PATH ?? '', ...PLACES].find((path) => path !== '' && existsSync(path))

/** A real browser without a window. */
export async function openBrowser(args: readonly string[] = ['--disable-gpu']): Promise<Browser> {
  assert.ok(executablePath, 'There is no Chromium on this machine: install it, or set CHROME_PATH.')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] })
}
