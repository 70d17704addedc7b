import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { isInNetworks, type Network, openOutbound, readNetwork } from './outbound.ts'

const LIMITS = { timeoutMs: 2000, mostBytes: 1000 }
const loopback = [readNetwork('127.0.0.0/8'), readNetwork('::1')].filter((network): network is Network => !!network)

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://host')
  if (pathname === '/long') response.end('x'.repeat(2000))
  else if (pathname === '/away') response.writeHead(302, { location: 'http://10.1.2.3/' }).end()
  else if (pathname === '/here') response.writeHead(302, { location: '/' }).end()
  else if (pathname !== '/never') response.end(`${request.method} ${pathname}`)
})
let base = ''
const strict = openOutbound([])
const open = openOutbound(loopback)

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `:${(server.address() as AddressInfo).port}`
})

after(async () => {
  await strict.close()
  await open.close()
  server.closeAllConnections()
  server.close()
})

for (const host of [
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '[fe80::1]',
  '[fd00::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
]) {
  test(`${host} is refused unless it is allowed`, async () => {
    await assert.rejects(strict.fetch(`http://${host}${base}/`, {}, LIMITS), /is not a public address/)
  })
}

for (const address of ['file:///etc/passwd', 'ftp://example.org/', 'data:,x', 'nonsense', '//example.org']) {
  test(`${address} is always refused`, async () => {
    await assert.rejects(open.fetch(address, {}, LIMITS), /only http and https/)
  })
}

test('a URL with credentials is refused', async () => {
  await assert.rejects(open.fetch(`http://me:secret@127.0.0.1${base}/`, {}, LIMITS), /must not contain credentials/)
})

test('allowed addresses are called by address and by name', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const { status, body } = await open.fetch(`http://${host}${base}/hello`, { method: 'POST', body: 'x' }, LIMITS)
    assert.deepEqual([status, body.toString()], [200, 'POST /hello'])
  }
})

test('confidential calls use http only on allowed networks', async () => {
  const limits = { ...LIMITS, isConfidential: true }
  const { body } = await open.fetch(`http://localhost${base}/hello`, {}, limits)
  assert.equal(body.toString(), 'GET /hello')
  for (const host of ['8.8.8.8', '10.0.0.1']) {
    await assert.rejects(open.fetch(`http://${host}/`, {}, limits), {
      message: `${host} must be called over https, or CORVUS_ALLOWED_NETWORKS must list it`,
    })
  }
  await assert.rejects(strict.fetch(`https://127.0.0.1${base}/`, {}, limits), /is not a public address/)
})

test('redirects are followed only on request, and checked like the first address', async () => {
  const { status } = await open.fetch(`http://127.0.0.1${base}/here`, {}, LIMITS)
  assert.equal(status, 302)
  const followed = await open.fetch(`http://127.0.0.1${base}/here`, { redirect: 'follow' }, LIMITS)
  assert.equal(followed.body.toString(), 'GET /')
  const away = open.fetch(`http://127.0.0.1${base}/away`, { redirect: 'follow' }, LIMITS)
  await assert.rejects(away, /10\.1\.2\.3 is not a public address/)
})

test('size and time are limited', async () => {
  await assert.rejects(open.fetch(`http://127.0.0.1${base}/long`, {}, LIMITS), /larger than 1000 bytes/)
  const never = open.fetch(`http://127.0.0.1${base}/never`, {}, { ...LIMITS, timeoutMs: 100 })
  await assert.rejects(never, /no response within 0.1 seconds/)
})

test("an unreachable server is reported by the system's error code only", async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  await assert.rejects(open.fetch(`http://127.0.0.1:${port}/secret`, {}, LIMITS), {
    message: 'the connection failed (ECONNREFUSED)',
  })
})

test('ports of other protocols are refused', async () => {
  await assert.rejects(open.fetch('http://127.0.0.1:25/', {}, LIMITS), /the port belongs to another protocol/)
})

test('networks are parsed with and without a prefix length', () => {
  assert.equal(readNetwork('10.0.0.0/8') !== undefined, true)
  for (const text of ['', 'ten', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0']) {
    assert.equal(readNetwork(text), undefined, text)
  }
  assert.equal(isInNetworks('::ffff:127.0.0.9', loopback), true)
  assert.equal(isInNetworks('128.0.0.1', loopback), false)
})
