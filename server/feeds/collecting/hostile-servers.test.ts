import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startCollecting } from '../../../test/set-up/collecting.ts'
import { type HOSTILE, startServer } from '../../../test/set-up/hostile-server.ts'
import { type FailureKind, TransportError } from './collector.ts'

const EXPECTED: Record<keyof typeof HOSTILE, FailureKind> = {
  silent: 'timeout',
  stalling: 'timeout',
  'slow-headers': 'timeout',
  'slow-body': 'timeout',
  broken: 'cut-off',
  'too-short': 'cut-off',
  'two-lengths': 'malformed',
  'broken-chunks': 'cut-off',
  'broken-gzip': 'cut-off',
  'no-gzip': 'malformed',
  'odd-packing': 'malformed',
  'no-http': 'malformed',
  'ten-gigabytes': 'too-large',
  endless: 'too-large',
  bomb: 'too-large',
  'header-flood': 'malformed',
  private: 'refused-address',
  metadata: 'refused-address',
  mapped: 'refused-address',
  file: 'refused-address',
  credentials: 'refused-address',
  'other-service': 'refused-address',
  nowhere: 'malformed',
  circle: 'unreachable',
  'not-allowed': 'authentication',
  forbidden: 'authentication',
  missing: 'not-found',
  busy: 'rate-limited',
  failing: 'server',
  unavailable: 'server',
}

const TRANSPORTS = {
  'http-download': {},
  taxii2: { collection_id: 'c' },
  'misp-feed': {},
  rss: {},
}

let server: Awaited<ReturnType<typeof startServer>>
const { collect, stop } = startCollecting()

before(async () => {
  server = await startServer()
})

after(async () => {
  await stop()
  await server.stop()
})

for (const [transport, more] of Object.entries(TRANSPORTS) as ['rss', object][]) {
  test(`${transport} reports what is wrong with a server within its time and memory limits, without secrets`, async () => {
    const outcomes = Object.entries(EXPECTED).map(async ([way, kind]) => {
      const timeout_seconds = kind === 'timeout' ? 1 : 60
      const configuration = { url: `${server.url}/${way}/`, timeout_seconds, token: 'swordfish', ...more }
      const error = await collect(transport, configuration).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof TransportError, `${way}: ${error}`)
      assert.doesNotMatch(error.message, /hunter2|swordfish/)
      return [way, error.kind]
    })
    assert.deepEqual(Object.fromEntries(await Promise.all(outcomes)), EXPECTED)
  })
}

test('an error reports how long the server asks to wait', async () => {
  for (const [way, seconds] of [
    ['busy', 120],
    ['unavailable', 60],
  ] as const) {
    await assert.rejects(collect('http-download', { url: `${server.url}/${way}` }), { retryAfter: seconds })
  }
})
