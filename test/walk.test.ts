import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startApp } from './app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

/** The functions of the server from the route to each statement, the innermost first. */
async function walksOf(act: () => Promise<unknown>): Promise<string[][]> {
  const walks: string[][] = []
  const { query } = pg.Client.prototype
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    walks.push(functionsIn(new Error('a statement').stack ?? ''))
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await act()
  } finally {
    pg.Client.prototype.query = query
    Error.stackTraceLimit = limit
  }
  return walks
}

/** Without the look-up that sends the statement, and without `serve.ts`, which calls the route, and its callers. */
function functionsIn(stack: string): string[] {
  const frames = [...stack.matchAll(/^ +at (.*\/server\/([^:]+):\d+).*$/gm)].map(([, frame = '', file]) => ({
    frame,
    file,
  }))
  const route = frames.findIndex(({ file }) => file === 'engine/serve.ts')
  return frames
    .slice(0, route < 0 ? frames.length : route)
    .filter(({ file }) => file !== 'database/lookups.ts')
    .map(({ frame }) => frame)
}

const indicator = {
  data: {
    type: 'indicator',
    title: 'Command server',
    id: '{https://a.example/}indicator-4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a12',
  },
  meta: { tags: ['banking'] },
  observables: [{ type: 'domain', value: 'login.bank.example' }],
}

for (const [verb, most, act] of [
  ['writing entities', 8, () => corvus.call('PUT', '/api/v2/entities', { data: [indicator] })],
  ['listing entities', 4, () => corvus.call('GET', '/api/v2/entities?filter[meta.tags]=banking&sort=-created_at')],
] as const) {
  test(`${verb} takes at most ${most} functions from the route to each statement, each of them once`, async () => {
    // The caller is authenticated before the route is reached.
    const walks = (await walksOf(async () => assert.ok((await act()).status < 300))).filter(
      (walk) => !walk.at(-1)?.includes('/identity/access/gate.ts'),
    )
    assert.ok(walks.some((walk) => walk.length > 1))
    for (const walk of walks) {
      assert.ok(walk.length <= most, walk.join('\n'))
      assert.deepEqual(walk, [...new Set(walk)])
    }
  })
}
