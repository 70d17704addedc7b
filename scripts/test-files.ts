import { glob, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../server/config.ts'

/** How many files of tests share a process: half of what a small one takes is loading the server. */
const TOGETHER = 20

/** What takes long, watches the memory of its process, or what modules do when they are loaded, has one of its own. */
const ALONE = [
  /^server\/ports\//,
  /histories/,
  /hostile/,
  /read-xml/,
  /\.property\./,
  /^test\/(?:fuzz|samples|visibility|regular-expressions)/,
  /^test\/(?:static|contract|authorisation|ssrf|search\/differential)\./,
]

/** What waits for a browser, a clock or another process half of its time, and would hold up those it shares a process with. */
const WAITING = [
  /^test\/(?:crash|start|web)/,
  /^cli\//,
  /^server\/background\/(?:lost-worker|worker)/,
  /^server\/(?:mail|changes\/webhooks)\//,
]

/**
 * Writes files for the runner that stand for all tests, and gives their paths. It starts them by their names: tests that mostly wait
 * run beside those that mostly compute, and what takes long does not begin last.
 */
export async function testFiles(folder: string): Promise<string[]> {
  const patterns = ['server', 'test', 'cli', 'scripts', 'web'].map((name) => `${name}/**/*.test.ts`)
  const files = (await Array.fromAsync(glob(patterns, { cwd: root }))).sort()
  const isAmong = (kinds: readonly RegExp[]) => (file: string) => kinds.some((kind) => kind.test(file))
  const alone = files.filter(isAmong([...ALONE, ...WAITING]))
  const together = files.filter((file) => !alone.includes(file))
  const groups = Array.from({ length: Math.ceil(together.length / TOGETHER) }, (_, i) =>
    together.slice(i * TOGETHER, (i + 1) * TOGETHER),
  )
  const waiting = alone.filter(isAmong(WAITING)).map((file) => [file])
  const computing = [...alone.filter((file) => !isAmong(WAITING)(file)).map((file) => [file]), ...groups]
  return Promise.all(mixed(waiting, computing).map((each, i) => writeOne(folder, each, i)))
}

/** Both lists in one, each spread evenly over all of it. */
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

const urlOf = (file: string): string => pathToFileURL(join(root, file)).href

/**
 * Each file is a test of its own, loaded when the ones before it are through: what they had open is closed by then. What files of
 * tests share among themselves is loaded anew for each; only the server, which takes the time, is loaded once.
 */
const groupOf = (files: readonly string[]): string =>
  `import { registerHooks } from 'node:module'
import { test } from 'node:test'
const shared = ${JSON.stringify(urlOf('test/'))}
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const { search } = new URL(context.parentURL ?? found.url)
    return search !== '' && found.url.startsWith(shared) ? { ...found, url: found.url + search } : found
  },
})
for (const [i, file] of ${JSON.stringify(files)}.entries()) {
  test(file, { timeout: 600_000 }, async () => void (await import(${JSON.stringify(urlOf('/'))} + file + '?' + i)))
}
`
