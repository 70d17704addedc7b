import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { LOOPBACK } from '../../../test/set-up/collecting.ts'
import { startServer } from '../../../test/set-up/hostile-server.ts'
import { type Opened, OutboundError, openOutbound } from '../outbound.ts'

const LIMITS = { timeoutMs: 5000, idleMs: 2000, mostBytes: 1000 }
const PACKED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const outbound = openOutbound(LOOPBACK)
const wholeOf = async ({ body }: Opened) => Buffer.concat(await Array.fromAsync(body)).toString()

let hostile: Awaited<ReturnType<typeof startServer>>
let server: Awaited<ReturnType<typeof startServer>>
let other: Awaited<ReturnType<typeof startServer>>

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  const packing = pathname.slice(1) as keyof typeof PACKED
  if (searchParams.has('to')) response.writeHead(302, { location: searchParams.get('to') ?? '' }).end()
  else if (pathname === '/echo')
    response.end(`${request.headers['content-length']} ${await text(request).catch(() => '')}`)
  else if (pathname === '/refuses') response.writeHead(413).end()
  else if (Object.hasOwn(PACKED, packing)) {
    response.writeHead(200, { 'content-encoding': packing }).end(PACKED[packing]('hello'))
  } else response.end('hello')
}

before(async () => {
  ;[hostile, server, other] = await Promise.all([startServer(), startServer(answer), startServer(answer)])
})

after(async () => {
  await outbound.close()
  await Promise.all([hostile, server, other].map(({ stop }) => stop()))
})

test('an answer is told with its status, headers and address, and its body comes in pieces', async () => {
  const opened = await outbound.open(`${server.url}/?to=/hello`, {}, LIMITS)
  assert.deepEqual([opened.status, opened.url], [200, `${server.url}/hello`])
  assert.equal(opened.headers['content-length'], '5')
  assert.equal(await wholeOf(opened), 'hello')
})

test('what is packed for the way is unpacked', async () => {
  for (const packing of Object.keys(PACKED)) {
    assert.equal(await wholeOf(await outbound.open(`${server.url}/${packing}`, {}, LIMITS)), 'hello')
  }
})

test('time without a byte and time as a whole are bounded apart', async () => {
  const silence = { ...LIMITS, timeoutMs: 60_000, idleMs: 100 }
  for (const way of ['stalling', 'silent', 'slow-headers']) {
    await assert.rejects(outbound.open(`${hostile.url}/${way}`, {}, silence).then(wholeOf), {
      name: 'OutboundError',
      kind: 'timeout',
      message: 'nothing came within 0.1 seconds',
    })
  }
  const slowness = { ...LIMITS, timeoutMs: 300, idleMs: 60_000 }
  await assert.rejects(outbound.open(`${hostile.url}/slow-body`, {}, slowness).then(wholeOf), {
    kind: 'timeout',
    message: 'no whole answer within 0.3 seconds',
  })
})

test('whoever reads slowly is not taken for a server that sends nothing', async () => {
  const { body } = await outbound.open(`${server.url}/hello`, {}, { ...LIMITS, idleMs: 500 })
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(Buffer.concat(await Array.fromAsync(body)).toString(), 'hello')
})

test('an answer that nobody reads ends with its time, or when it is closed', async () => {
  const left = await outbound.open(`${hostile.url}/slow-body`, {}, { ...LIMITS, timeoutMs: 200 })
  const closed = await outbound.open(`${hostile.url}/endless`, {}, LIMITS)
  closed.close()
  const connections = () => new Promise((resolve) => hostile.server.getConnections((_, count) => resolve(count)))
  while ((await connections()) !== 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await assert.rejects(wholeOf(left), { kind: 'timeout' })
})

test('who calls can end it before and while the body comes, with a reason of their own', async () => {
  const controller = new AbortController()
  const init = { signal: controller.signal }
  const { body } = await outbound.open(`${hostile.url}/slow-body`, init, LIMITS)
  const silent = outbound.open(`${hostile.url}/silent`, init, LIMITS)
  controller.abort(new RangeError('enough'))
  await Promise.all([assert.rejects(Array.fromAsync(body), RangeError), assert.rejects(silent, RangeError)])
  await assert.rejects(outbound.open(`${server.url}/`, init, LIMITS), RangeError)
})

test('a body is sent piece by piece, with the length that is said', async () => {
  async function* pieces() {
    yield Buffer.from('one ')
    yield Buffer.from('two')
  }
  const init = { method: 'POST', body: pieces(), headers: { 'content-length': '7' } }
  assert.equal(await wholeOf(await outbound.open(`${server.url}/echo`, init, LIMITS)), '7 one two')
  const short = { ...init, body: pieces(), headers: { 'content-length': '8' } }
  await assert.rejects(outbound.open(`${server.url}/echo`, short, LIMITS), OutboundError)
  const plain = { method: 'PUT', body: 'text' }
  assert.equal(await wholeOf(await outbound.open(`${server.url}/echo`, plain, LIMITS)), '4 text')
  assert.equal((await outbound.open(`${server.url}/refuses`, { ...init, body: pieces() }, LIMITS)).status, 413)
})

test('a fault of the body that is sent is not the fault of the server', async () => {
  async function* broken() {
    yield Buffer.from('one')
    throw new RangeError('the disk is gone')
  }
  const init = { method: 'POST', body: broken(), headers: { 'content-length': '100' } }
  await assert.rejects(outbound.open(`${server.url}/echo`, init, LIMITS), RangeError)
})

test('proof of who calls goes to no other server, not even on the way back', async () => {
  const connection = { credentials: { authorization: 'Bearer x', 'X-API-Key': 'y' } }
  const back = `${server.url}/back`
  const away = `${other.url}/away?to=${encodeURIComponent(back)}`
  const here = `${server.url}/first?to=${encodeURIComponent(`/second?to=${encodeURIComponent(away)}`)}`
  await wholeOf(await outbound.open(here, { headers: { accept: 'text/plain' } }, LIMITS, connection))
  const seen = [...server.asked, ...other.asked]
    .filter(({ headers }) => headers.accept === 'text/plain')
    .map(({ url, headers }) => [url.split('?')[0], headers.authorization, headers['x-api-key']])
  assert.deepEqual(seen, [
    ['/first', 'Bearer x', 'y'],
    ['/second', 'Bearer x', 'y'],
    ['/back', undefined, undefined],
    ['/away', undefined, undefined],
  ])
})

test('what is sent goes to the address that was given and to no other', async () => {
  const init = { method: 'POST', body: 'x' }
  const opened = await outbound.open(`${server.url}/?to=/echo`, init, LIMITS)
  opened.close()
  assert.equal(opened.status, 302)
})

test('five redirects are followed, and not a sixth', async () => {
  const chain = (length: number): string => (length === 0 ? '/hello' : `/?to=${encodeURIComponent(chain(length - 1))}`)
  assert.equal(await wholeOf(await outbound.open(`${server.url}${chain(5)}`, {}, LIMITS)), 'hello')
  await assert.rejects(outbound.open(`${server.url}${chain(6)}`, {}, LIMITS), /more than 5 times/)
})

test('what is larger than the limit is refused at once where it says so, else at the limit, packed or not', async () => {
  for (const way of ['ten-gigabytes', 'endless', 'bomb']) {
    const opening = outbound.open(`${hostile.url}/${way}`, {}, LIMITS).then(wholeOf)
    await assert.rejects(opening, { kind: 'too-large', message: 'the answer is longer than 1000 bytes' })
  }
  await assert.rejects(outbound.open(`${hostile.url}/ten-gigabytes`, {}, LIMITS), { kind: 'too-large' })
})

test('closing the port ends what is still coming', async () => {
  const own = openOutbound(LOOPBACK)
  const opened = await own.open(`${hostile.url}/slow-body`, {}, LIMITS)
  await own.close()
  await assert.rejects(wholeOf(opened), OutboundError)
})
