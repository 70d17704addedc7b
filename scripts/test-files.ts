import { glob, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../server/config.ts'

/** The number of test files per process: half the time of a small one is loading the server. */
const FILES_PER_PROCESS = 20

/** Tests in a process of their own: long ones, and those that measure memory or module loading. */
const OWN_PROCESS = [
  /^server\/ports\//,
  /histories/,
  /hostile/,
  /read-xml/,
  /\.property\./,
  /^test\/(?:fuzz|samples|visibility|regular-expressions)/,
  /^test\/(?:static|contract|authorisation|ssrf|search\/differential)\./,
]

/** Tests that mostly wait for a browser, a clock or another process, and would delay others in their process. */
const MOSTLY_WAITING = [
  /^test\/(?:crash|start|web)/,
  /^cli\//,
  /^server\/background\/(?:lost-worker|worker)/,
  /^server\/(?:mail|changes\/webhooks)\//,
]

/**
 * Writes entry files for the test runner and returns their paths. The runner starts them by name, which is chosen so
 * that waiting tests run next to computing ones and long ones do not start last.
 */
export async function testFiles(folder: string): Promise<string[]> {
  const patterns = ['server', 'test', 'cli', 'scripts', 'web'].map((name) => `${name}/**/*.test.ts`)
  const files = (await Array.fromAsync(glob(patterns, { cwd: root }))).sort()
  const isAmong = (kinds: readonly RegExp[]) => (file: string) => kinds.some((kind) => kind.test(file))
  const alone = files.filter(isAmong([...OWN_PROCESS, ...MOSTLY_WAITING]))
  const together = files.filter((file) => !alone.includes(file))
  const groups = Array.from({ length: Math.ceil(together.length / FILES_PER_PROCESS) }, (_, i) =>
    together.slice(i * FILES_PER_PROCESS, (i + 1) * FILES_PER_PROCESS),
  )
  const waiting = alone.filter(isAmong(MOSTLY_WAITING)).map((file) => [file])
  const computing = [...alone.filter((file) => !isAmong(MOSTLY_WAITING)(file)).map((file) => [file]), ...groups]
  return Promise.all(mixed(waiting, computing).map((each, i) => writeOne(folder, each, i)))
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

const urlOf = (file: string): string => pathToFileURL(join(root, file)).href

/**
 * Each file is a separate test, imported after the previous one has closed its resources. Shared test modules are
 * loaded again for each file; only the server, which takes the time, is loaded once.
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
