import { glob, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../server/config.ts'
import { isThorough } from '../test/effort.ts'

/** Only a hanging test file takes this long. */
const FILE_MS = isThorough ? 3_600_000 : 600_000

interface Kind {
  readonly files: RegExp
  /** The number of test files per process: half the time of a small one is loading the server. */
  readonly perProcess: number
  /** Whether the tests mostly wait for a browser, a clock or another process, and would delay computing ones. */
  readonly isWaiting?: boolean
}

/** Every test file is of the first kind that it matches. */
const KINDS: readonly Kind[] = [
  // Long ones, and those that measure memory or module loading.
  { files: /^test\/(?:crash|start|web\/every-page)/, perProcess: 1, isWaiting: true },
  { files: /histories|read-xml|\.property\.|^server\/ports\//, perProcess: 1 },
  { files: /^test\/(?:fuzz|samples|visibility|regular-expressions)/, perProcess: 1 },
  { files: /^test\/(?:static|contract|authorisation|ssrf|search\/differential)\./, perProcess: 1 },
  // The files of a process share a browser and the process that runs their servers.
  { files: /^test\/web\//, perProcess: 7, isWaiting: true },
  {
    files: /^cli\/|^server\/background\/(?:lost-)?worker|^server\/(?:mail|changes\/webhooks)\//,
    perProcess: 5,
    isWaiting: true,
  },
  { files: /hostile/, perProcess: 8 },
  { files: /./, perProcess: 30 },
]

/**
 * Writes entry files for the test runner and returns their paths. The runner starts them by name, which is chosen so
 * that waiting tests run next to computing ones and long ones do not start last.
 */
export async function testFiles(folder: string): Promise<string[]> {
  const patterns = ['server', 'test', 'cli', 'scripts', 'web'].map((name) => `${name}/**/*.test.ts`)
  const files = (await Array.fromAsync(glob(patterns, { cwd: root }))).sort()
  const byKind = Map.groupBy(files, (file) => KINDS.find((kind) => kind.files.test(file)))
  const processes = KINDS.flatMap((kind) =>
    evenly(byKind.get(kind) ?? [], kind.perProcess).map((each) => ({
      files: each,
      isWaiting: kind.isWaiting === true,
    })),
  )
  const [waiting = [], computing = []] = [true, false].map((wanted) =>
    processes.filter(({ isWaiting }) => isWaiting === wanted),
  )
  return Promise.all(mixed(waiting, computing).map((each, i) => writeOne(folder, each.files, i)))
}

/** Divides a list into parts of about the same length, which is at most this. */
function evenly<T>(list: readonly T[], most: number): T[][] {
  const count = Math.ceil(list.length / most)
  const start = (part: number) => Math.round((part * list.length) / count)
  return Array.from({ length: count }, (_, part) => list.slice(start(part), start(part + 1)))
}

/** Merges two lists, spreading each evenly. */
function mixed<T>(some: readonly T[], others: readonly T[]): T[] {
  const placed = [some, others].flatMap((list) => list.map((item, i) => ({ item, at: (i + 0.5) / list.length })))
  return placed.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

async function writeOne(folder: string, files: readonly string[], at: number): Promise<string> {
  const [first = ''] = files
  const name = files.length === 1 ? basename(first) : 'several.test.ts'
  const path = join(folder, `${String(at).padStart(3, '0')}-${name}`)
  await writeFile(path, files.length === 1 ? `import ${JSON.stringify(urlOf(first))}\n` : groupOf(files))
  return path
}

/** What is loaded once for all files of a process. */
const SHARED = 'test/web/shared.ts'

const urlOf = (file: string): string => pathToFileURL(join(root, file)).href

/**
 * Each file is a separate test, imported after the previous one has closed its resources. Other test modules are loaded
 * again for each file; only the server, which takes the time, is loaded once, and what files share.
 */
const groupOf = (files: readonly string[]): string =>
  `import { registerHooks } from 'node:module'
import { test } from 'node:test'
${files.some((file) => file.startsWith('test/web/')) ? `import ${JSON.stringify(urlOf(SHARED))}` : ''}
const again = ${JSON.stringify(urlOf('test/'))}
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const { search } = new URL(context.parentURL ?? found.url)
    const isAgain = search !== '' && found.url.startsWith(again) && found.url !== ${JSON.stringify(urlOf(SHARED))}
    return isAgain ? { ...found, url: found.url + search } : found
  },
})
for (const [i, file] of ${JSON.stringify(files)}.entries()) {
  test(file, { timeout: ${FILE_MS} }, async () => void (await import(${JSON.stringify(urlOf('/'))} + file + '?' + i)))
}
`
