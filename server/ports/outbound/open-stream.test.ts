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

test('a response has its status, headers and URL, and its body is streamed', async () => {
  const opened = await outbound.open(`${server.url}/?to=/hello`, {}, LIMITS)
  assert.deepEqual([opened.status, opened.url], [200, `${server.url}/hello`])
  assert.equal(opened.headers['content-length'], '5')
  assert.equal(await wholeOf(opened), 'hello')
})

test('compressed responses are decompressed', async () => {
  for (const packing of Object.keys(PACKED)) {
    assert.equal(await wholeOf(await outbound.open(`${server.url}/${packing}`, {}, LIMITS)), 'hello')
  }
})

test('idle time and total time have separate limits', async () => {
  const silence = { ...LIMITS, timeoutMs: 60_000, idleMs: 100 }
  for (const way of ['stalling', 'silent', 'slow-headers']) {
    await assert.rejects(outbound.open(`${hostile.url}/${way}`, {}, silence).then(wholeOf), {
      name: 'OutboundError',
      kind: 'timeout',
      message: 'no data within 0.1 seconds',
    })
  }
  const slowness = { ...LIMITS, timeoutMs: 300, idleMs: 60_000 }
  await assert.rejects(outbound.open(`${hostile.url}/slow-body`, {}, slowness).then(wholeOf), {
    kind: 'timeout',
    message: 'no complete response within 0.3 seconds',
  })
})

test('a slow reader is not mistaken for a silent server', async () => {
  const { body } = await outbound.open(`${server.url}/hello`, {}, { ...LIMITS, idleMs: 500 })
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(Buffer.concat(await Array.fromAsync(body)).toString(), 'hello')
})

test('an unread response ends at its deadline or when it is closed', async () => {
  const left = await outbound.open(`${hostile.url}/slow-body`, {}, { ...LIMITS, timeoutMs: 200 })
  const closed = await outbound.open(`${hostile.url}/endless`, {}, LIMITS)
  closed.close()
  const connections = () => new Promise((resolve) => hostile.server.getConnections((_, count) => resolve(count)))
  while ((await connections()) !== 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await assert.rejects(wholeOf(left), { kind: 'timeout' })
})

test('the caller can abort before and during the body, with its own reason', async () => {
  const controller = new AbortController()
  const init = { signal: controller.signal }
  const { body } = await outbound.open(`${hostile.url}/slow-body`, init, LIMITS)
  const silent = outbound.open(`${hostile.url}/silent`, init, LIMITS)
  controller.abort(new RangeError('enough'))
  await Promise.all([assert.rejects(Array.fromAsync(body), RangeError), assert.rejects(silent, RangeError)])
  await assert.rejects(outbound.open(`${server.url}/`, init, LIMITS), RangeError)
})

test('a body is streamed with the given length', async () => {
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

test('an error in the request body is not attributed to the server', async () => {
  async function* broken() {
    yield Buffer.from('one')
    throw new RangeError('the disk is gone')
  }
  const init = { method: 'POST', body: broken(), headers: { 'content-length': '100' } }
  await assert.rejects(outbound.open(`${server.url}/echo`, init, LIMITS), RangeError)
})

test('credentials are sent to no other origin, not even when a redirect returns', async () => {
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

test('a request body is sent to the given URL only', async () => {
  const init = { method: 'POST', body: 'x' }
  const opened = await outbound.open(`${server.url}/?to=/echo`, init, LIMITS)
  opened.close()
  assert.equal(opened.status, 302)
})

test('five redirects are followed, a sixth is not', async () => {
  const chain = (length: number): string => (length === 0 ? '/hello' : `/?to=${encodeURIComponent(chain(length - 1))}`)
  assert.equal(await wholeOf(await outbound.open(`${server.url}${chain(5)}`, {}, LIMITS)), 'hello')
  await assert.rejects(outbound.open(`${server.url}${chain(6)}`, {}, LIMITS), /more than 5 redirects/)
})

test('a response over the limit is refused at once if it declares its size, otherwise at the limit, compressed or not', async () => {
  for (const way of ['ten-gigabytes', 'endless', 'bomb']) {
    const opening = outbound.open(`${hostile.url}/${way}`, {}, LIMITS).then(wholeOf)
    await assert.rejects(opening, { kind: 'too-large', message: 'the response is larger than 1000 bytes' })
  }
  await assert.rejects(outbound.open(`${hostile.url}/ten-gigabytes`, {}, LIMITS), { kind: 'too-large' })
})

test('closing the port ends open responses', async () => {
  const own = openOutbound(LOOPBACK)
  const opened = await own.open(`${hostile.url}/slow-body`, {}, LIMITS)
  await own.close()
  await assert.rejects(wholeOf(opened), OutboundError)
})
