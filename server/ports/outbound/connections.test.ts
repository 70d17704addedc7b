import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { makeAuthority } from '../../../test/set-up/certificates.ts'
import { LOOPBACK } from '../../../test/set-up/collecting.ts'
import { startServer } from '../../../test/set-up/hostile-server.ts'
import { startProxy } from '../../../test/set-up/proxy-server.ts'
import { type Connection, openOutbound } from '../outbound.ts'

const LIMITS = { timeoutMs: 5000, idleMs: 2000, mostBytes: 1000 }
const authority = makeAuthority()
const good = authority.issue({ names: ['127.0.0.1', 'localhost'] })
const ca = authority.certificate
const outbound = openOutbound(LOOPBACK)
type Running = Awaited<ReturnType<typeof startServer>>
const running: Running[] = []

const tls = (pair: { certificate: string; key: string }) => ({ cert: pair.certificate, key: pair.key })

async function start(...given: Parameters<typeof startServer>): Promise<Running> {
  const server = await startServer(...given)
  running.push(server)
  return server
}

async function call(url: string, connection?: Connection): Promise<string> {
  const { status, body } = await outbound.open(url, {}, LIMITS, connection)
  return `${status} ${Buffer.concat(await Array.fromAsync(body))}`
}

let secure: Running
let asking: Running
let proxy: Awaited<ReturnType<typeof startProxy>>

before(async () => {
  secure = await start((request, response) => {
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to')
    if (to) response.writeHead(302, { location: to }).end()
    else response.end('secure')
  }, tls(good))
  asking = await start(
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      response.end(`for ${subject?.CN ?? 'nobody'}`)
    },
    { ...tls(good), ca, requestCert: true, rejectUnauthorized: false },
  )
  proxy = await startProxy()
  running.push(proxy)
})

after(async () => {
  await outbound.close()
  for (const { stop } of running) await stop()
})

test('a server must prove its name through an authority that the connection trusts', async () => {
  assert.equal(await call(secure.url, { ca }), '200 secure')
  assert.equal(await call(secure.url.replace('127.0.0.1', 'localhost'), { ca }), '200 secure')
  await assert.rejects(call(secure.url), { kind: 'certificate' })
  await assert.rejects(call(secure.url, { ca: makeAuthority().certificate }), { kind: 'certificate' })
})

test('a certificate that has expired or is for another name is refused unless verification is off', async () => {
  const expired = await start(undefined, tls(authority.issue({ names: ['127.0.0.1'], notAfter: new Date(0) })))
  const foreign = await start(undefined, tls(authority.issue({ names: ['example.org', '127.0.0.2'] })))
  await assert.rejects(call(expired.url, { ca }), {
    kind: 'certificate',
    message: 'the connection failed (CERT_HAS_EXPIRED)',
  })
  await assert.rejects(call(foreign.url, { ca }), {
    kind: 'certificate',
    message: 'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
  })
  for (const { url } of [expired, foreign, secure]) {
    assert.match(await call(`${url}/none`, { isVerified: false }), /^(404|200)/)
  }
})

test('the client certificate is presented to the server, and not to redirect targets', async () => {
  const client = authority.issue({ names: ['client.test'] })
  const connection = { ca, certificate: client.certificate, key: client.key }
  assert.equal(await call(asking.url, connection), '200 for client.test')
  assert.equal(await call(asking.url, { ca }), '200 for nobody')
  assert.equal(await call(`${secure.url}/?to=${encodeURIComponent(asking.url)}`, connection), '200 for nobody')
})

test('an unreadable certificate or key is reported without being repeated', async () => {
  for (const broken of [{ certificate: 'hunter2', key: good.key }, { ca: '-----BEGIN CERTIFICATE-----\nhunter2' }]) {
    await assert.rejects(call(asking.url, broken), {
      kind: 'configuration',
      message: 'the certificates or the key of the connection cannot be read',
    })
  }
})

test('a redirect from https to http is not followed', async () => {
  const plain = `${secure.url}/?to=${encodeURIComponent(proxy.url)}`
  await assert.rejects(call(plain, { ca }), { kind: 'refused-address', message: /from https to http/ })
})

test('calls go through a proxy: http as a request to it, https in a tunnel to the server', async () => {
  assert.equal(await call('http://127.0.0.1:1234/x', { proxy: proxy.url }), '200 by proxy: http://127.0.0.1:1234/x')
  assert.equal(await call(secure.url, { ca, proxy: proxy.url }), '200 secure')
  assert.deepEqual(proxy.tunnels, [`127.0.0.1:${secure.port}`])
  await assert.rejects(call(secure.url, { proxy: proxy.url }), { kind: 'certificate' })
  for (const refusing of [secure.url.replace('127.0.0.1', 'localhost'), 'http://localhost:1234/']) {
    await assert.rejects(call(refusing, { ca, proxy: proxy.url }), {
      kind: 'authentication',
      message: 'the proxy answered 407',
    })
  }
})

test('a proxy gives access to no additional addresses, and must itself be allowed', async () => {
  const asked = () => proxy.asked.length + proxy.tunnels.length
  const before = asked()
  for (const url of ['http://10.0.0.1/', 'https://192.168.1.1/', 'http://[::1]/', 'http://169.254.169.254/']) {
    await assert.rejects(call(url, { proxy: proxy.url }), { kind: 'refused-address' }, url)
  }
  const led = await start((_, response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end())
  await assert.rejects(call(led.url, { proxy: led.url }), { kind: 'refused-address' })
  for (const address of ['http://10.0.0.1:3128', 'http://[::1]:3128', 'socks5://127.0.0.1', 'http://127.0.0.1:6379']) {
    await assert.rejects(call('http://127.0.0.1:1234/', { proxy: address }), { kind: 'refused-address' }, address)
  }
  assert.equal(asked(), before)
})

test('an unreachable or silent proxy is reported in time', async () => {
  const silent = await start(() => {})
  silent.server.on('connect', () => {})
  const limits = { ...LIMITS, idleMs: 200 }
  for (const url of [secure.url, 'http://127.0.0.1:1234/']) {
    await assert.rejects(outbound.open(url, {}, limits, { proxy: silent.url }), { kind: 'timeout' })
  }
  await assert.rejects(call(secure.url, { proxy: 'http://127.0.0.1:4' }), { kind: 'unreachable' })
})
