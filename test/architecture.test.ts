import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { collections } from '../server/collections.ts'
import { root } from '../server/config.ts'

/**
 * The parts of the server, from the lowest to the highest: each imports only itself and parts before it. Files directly in server/
 * compose the parts, and import all of them.
 */
const ORDER = [
  'domain',
  'fast',
  'ports',
  'formats',
  'engine',
  'database',
  'http',
  'background',
  'settings',
  'mail',
  'identity',
  'attack/frameworks',
  'attack/classification',
  'search',
  'intelligence',
  'text-analysis',
  'changes',
  'graph',
  'attack',
  'analytics',
  'collaboration',
  'ai',
  'exchange',
  'attack/upgrades',
  'feeds',
  'automation',
  'retention',
  'demo',
]

/** Files directly in server/ that every part may import. The type of the server names parts, but imports nothing from them at run time. */
const SHARED = ['collections.ts', 'config.ts', 'server.ts']

interface Import {
  readonly from: string
  readonly to: string
  readonly isTypeOnly: boolean
}

const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.replaceAll('\\', '/'))

const sources = new Map(files.map((file) => [file, readFileSync(join(root, 'server', file), 'utf8')]))

const imports: Import[] = [...sources].flatMap(([from, text]) =>
  [...text.matchAll(/^(?:import|export)\s+(type\s+)?([^;']*?)from\s+'(\.[^']+)'/gm)].map(
    ([, type, names = '', path = '']) => ({
      from,
      to: normalize(join(dirname(from), path)).replaceAll('\\', '/'),
      isTypeOnly: type !== undefined || /^\{(\s*type\s+\w+(\s+as\s+\w+)?\s*,?)+\s*\}\s*$/.test(names),
    }),
  ),
)

/** The folder of a part, or one in it that is a part of its own. */
const partIn =
  (order: readonly string[]) =>
  (file: string): string => {
    const [folder = '', inner, last] = file.split('/')
    if (inner === undefined) return ''
    return last !== undefined && order.includes(`${folder}/${inner}`) ? `${folder}/${inner}` : folder
  }
const partOf = partIn(ORDER)

test('every part imports only itself and parts before it', () => {
  const upward = imports.filter(({ from, to }) => {
    const [part, other] = [partOf(from), partOf(to)]
    if (part === '' || part === other) return false
    return other === '' ? !SHARED.includes(to) : ORDER.indexOf(other) > ORDER.indexOf(part)
  })
  assert.deepEqual(
    upward.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('every folder of the server is in the order of its parts', () => {
  const parts = new Set(files.map(partOf).filter((part) => part !== ''))
  assert.deepEqual(
    [...parts].filter((part) => !ORDER.includes(part)),
    [],
  )
})

/** Import cycles, each as the path that leads back to its first file. */
function circlesIn(edges: readonly Import[]): string[] {
  const byFile = Map.groupBy(edges, ({ from }) => from)
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const { to } of byFile.get(file) ?? []) walk(to, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  return circles
}

test('no import leads back to its file', () => {
  assert.deepEqual(circlesIn(imports.filter(({ isTypeOnly }) => !isTypeOnly)), [])
})

test('within the engine, not even an import of types leads back to its file', () => {
  const isEngine = (file: string) => file.startsWith('engine/')
  assert.deepEqual(circlesIn(imports.filter(({ from, to }) => isEngine(from) && isEngine(to))), [])
})

test('a resource is defined by at most twelve members', () => {
  const [, body = ''] = /interface Definition<[^{]*\{\n(.*?)\n\}/s.exec(sources.get('engine/definition.ts') ?? '') ?? []
  const members = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name)
  assert.ok(members.includes('collection') && members.length <= 12, members.join(', '))
})

test('the engine names no collection', () => {
  const names = Object.keys(collections)
  const found = [...sources]
    // Stamps name the users who created and changed an object, in every collection.
    .filter(([file]) => file.startsWith('engine/') && file !== 'engine/stamps.ts')
    .flatMap(([file, text]) => {
      const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return names.filter((name) => new RegExp(`['"\`/]${name}['"\`/]`).test(code)).map((name) => `${file}: ${name}`)
    })
  assert.deepEqual(found, [])
})

test('no file of the server is longer than 300 lines', () => {
  const long = [...sources].filter(([, text]) => text.split('\n').length > 300).map(([file]) => file)
  assert.deepEqual(long, [])
})

test('a plain resource is one definition of under 40 lines', () => {
  assert.ok((sources.get('collaboration/tickets.ts') ?? '').split('\n').length < 40)
})

test('visibility keys are packed and unpacked in one file', () => {
  const bitwise = /(?<!>)>> ?3\b|<< ?3\b|& ?~?7\b|\b(?:number|source\w*) ?\* ?8\b|\b(?:vis|key)(?:\[\d\])? ?[/%] ?8\b/
  // A hash, which has nothing to do with keys.
  const exempt = ['server/identity/access/visibility.ts', 'server/demo/random.ts']
  const decoding = ['server', 'cli', 'bench']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !exempt.includes(file))
    .filter((file) => bitwise.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(decoding, [])
})

test('the server writes to the console only where it starts', () => {
  const talking = [...sources].filter(([, text]) => /\bconsole\./.test(text)).map(([file]) => file)
  assert.deepEqual(
    talking.filter((file) => !['main.ts', 'start.ts'].includes(file)),
    [],
  )
})

/**
 * The parts of the web interface, from the lowest to the highest: first the ground, which knows no capability, then the
 * capabilities, administration, which composes their pages, and the shell. Files directly in web/ compose them.
 */
const WEB_ORDER = [
  'domain',
  'api',
  'ui',
  'forms',
  'generic',
  'background',
  'ai',
  'demo',
  'identity',
  'intelligence',
  'search',
  'graph',
  'attack',
  'analytics',
  'exchange',
  'collaboration',
  'ai/summaries',
  'feeds',
  'automation',
  'settings',
  'changes',
  'administration',
  'shell',
]

const webPartOf = partIn(WEB_ORDER)

const webSources = new Map(
  readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/^dist/.test(file))
    .map((file) => [file, readFileSync(join(root, 'web', file), 'utf8')]),
)

/** Everything that files of the web interface import from each other, tests and pages loaded on demand included. */
const webImports = [...webSources].flatMap(([from, text]) =>
  [...text.matchAll(/\b(?:from\s+|import\s*\(\s*|import\s+)'(\.[^'?]+)/g)].map(([, path = '']) => ({
    from,
    to: normalize(join(dirname(from), path)).replaceAll('\\', '/'),
  })),
)

test('every part of the web interface imports only itself and parts before it', () => {
  assert.ok(webImports.length > 500)
  const upward = webImports.filter(({ from, to }) => {
    const [part, other] = [webPartOf(from), webPartOf(to)]
    if (part === '' || other === '..') return false
    return other === '' || WEB_ORDER.indexOf(other) > WEB_ORDER.indexOf(part)
  })
  assert.deepEqual(
    upward.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('every folder of the web interface is in the order of its parts', () => {
  const parts = new Set([...webSources.keys()].map(webPartOf).filter((part) => part !== ''))
  assert.deepEqual(
    [...parts].filter((part) => !WEB_ORDER.includes(part)),
    [],
  )
})

test('no file of the web interface is longer than 300 lines', () => {
  const long = [...webSources].filter(([file, text]) => file !== 'api/resources.ts' && text.split('\n').length > 300)
  assert.deepEqual(
    long.map(([file]) => file),
    [],
  )
})

test('the web interface imports values of the server from its domain alone', () => {
  const pages = [...webSources].filter(([file]) => !file.endsWith('.test.ts'))
  assert.ok(pages.length > 50)
  const found = pages.flatMap(([file, text]) => {
    const sources = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;']*?from\s+'([^']*\/server\/[^']+)'/gm)]
    const dynamic = [...text.matchAll(/import\('([^']*\/server\/[^']+)'\)/g)]
    return [
      ...sources.filter(([, type]) => type === undefined).map(([, , path = '']) => path),
      ...dynamic.map(([, path = '']) => path),
    ]
      .filter((path) => !/\/server\/domain\//.test(path))
      .map((path) => `${file} → ${path}`)
  })
  assert.deepEqual(found, [])
})
