import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { BASE, startApp } from '../../../test/app.ts'
import { openEventStream } from '../../../test/event-stream.ts'
import { readPositions, START } from '../../background/followers/position.ts'
import { NOBODY } from '../../engine/route.ts'
import { resourceMap } from '../../registry.ts'
import { taskTypes } from '../../tasks.ts'
import { KINDS } from '../streams/events.ts'
import { streamOf } from './frames.ts'
import { openStreams } from './streams.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let address: string
let portions = 0
let looks = 0
before(async () => {
  corvus = await startApp((statement) => {
    if (statement.includes('counted as')) portions++
    if (statement.includes('order by xact desc')) looks++
  })
  address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => corvus.stop())

const log = pino({ level: 'silent' })

/** A stream of tickets, fast enough for tests. */
async function openDirectly(pace: { lookMs: number; heartbeatMs: number; stallTimeoutMs: number }) {
  const caller = { ...NOBODY, id: 1, permissions: new Set(['read tickets']) }
  const server = { db: corvus.db, vault: { seal: String, open: String }, resources: resourceMap, taskTypes }
  const streams = openStreams(corvus.db, log, pace)
  const asked = { collections: ['tickets' as const], kinds: KINDS, query: null, include_object: false, after: START }
  const positions = await readPositions(corvus.db)
  return { streams, stream: streamOf({ ...server, caller, baseUrl: BASE }, streams, { ...asked, positions }) }
}

test('a stalled client pauses reading, and gets everything once it continues', async () => {
  const count = 1000
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause()
  socket.write(
    `GET /api/v2/events?collections=tickets&include_object=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${corvus.admin}\r\n\r\n`,
  )
  while (looks === 0) await sleep(20)
  portions = 0
  const tickets = Array.from({ length: count }, (_, i) => ({ name: `Long ${i}`, description: 'x'.repeat(30_000) }))
  for (const part of [tickets.slice(0, 500), tickets.slice(500)]) {
    assert.equal((await corvus.call('PUT', 'tickets', part)).status, 201)
  }
  let before = -1
  // Polls twice without another portion, so nothing is read any more.
  for (let still = 0; still < 30; still = portions > 0 && portions === before ? still + 1 : 0) {
    before = portions
    await sleep(50)
  }
  assert.ok(portions < count / 100, `${portions} portions of 100 were read for a reader who takes nothing`)
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString().replaceAll('x', '')
  })
  socket.resume()
  while ((heard.match(/"kind":"create"/g) ?? []).length < count) await sleep(20)
  socket.destroy()
})

test('the database is not polled without a stream', async () => {
  await sleep(700)
  looks = 0
  await sleep(1200)
  assert.equal(looks, 0)
})

test('an idle stream sends a comment with its position at intervals', async () => {
  const { stream } = await openDirectly({ lookMs: 5, heartbeatMs: 10, stallTimeoutMs: 60_000 })
  let heard = ''
  for await (const chunk of stream) {
    heard += chunk
    if ((heard.match(/: still here\nid: [\w-]{22}\n\n/g) ?? []).length >= 3) break
  }
  assert.match(heard, /^retry: 3000\nid: [\w-]{22}\n\n/)
})

test('a stalled stream is cut off', async () => {
  const { stream, streams } = await openDirectly({ lookMs: 5, heartbeatMs: 1, stallTimeoutMs: 30 })
  // The first read is larger than the buffer.
  stream.read(0)
  await once(stream, 'close')
  // Another stream can be opened again.
  for (let i = 0; i < 5; i++) streams.take(1, () => {})
  assert.throws(() => streams.take(1, () => {}), /5 open streams/)
  streams.close()
  assert.throws(() => streams.take(2, () => {}), /cannot open more streams/)
})

test('streams end when the server stops, and do not delay it', async () => {
  const own = await startApp()
  const where = await own.app.listen({ port: 0, host: '127.0.0.1' })
  const streams = await Promise.all([1, 2, 3].map(() => openEventStream(`${where}/api/v2/events`, own.admin)))
  await own.stop()
  for (const stream of streams) assert.equal(await stream.ended(), undefined)
})
