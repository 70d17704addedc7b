import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { makeAuthority } from '../../../test/set-up/certificates.ts'
import { startCollecting } from '../../../test/set-up/collecting.ts'
import { startServer } from '../../../test/set-up/hostile-server.ts'
import { startProxy } from '../../../test/set-up/proxy-server.ts'
import { TransportError } from './collector.ts'

/** Each transport with an empty document for it. */
const TRANSPORTS = {
  'http-download': { more: {}, body: 'x' },
  taxii2: { more: { collection_id: 'c' }, body: '{"objects": []}' },
  'misp-feed': { more: {}, body: '{}' },
  rss: { more: {}, body: '<rss/>' },
}

const { collect, stop } = startCollecting()
const authority = makeAuthority()
const ca_certificate = authority.certificate
type Running = Awaited<ReturnType<typeof startServer>>
const running: Running[] = []

async function start(
  names: readonly string[],
  more: { notAfter?: Date; requestCert?: boolean } = {},
): Promise<Running> {
  const { certificate: cert, key } = authority.issue({ names, ...more })
  const { requestCert = false } = more
  const server = await startServer(
    ({ url = '' }, response) => {
      const [, transport] = url.split('/') as ['', keyof typeof TRANSPORTS]
      const isListed = transport === 'taxii2' && !url.includes('/objects/')
      response.writeHead(isListed ? 404 : 200).end(TRANSPORTS[transport].body)
    },
    { cert, key, ca: ca_certificate, requestCert, rejectUnauthorized: requestCert },
  )
  running.push(server)
  return server
}

let good: Running
let expired: Running
let foreign: Running
let asking: Running

before(async () => {
  good = await start(['127.0.0.1'])
  expired = await start(['127.0.0.1'], { notAfter: new Date(0) })
  foreign = await start(['example.org'])
  asking = await start(['127.0.0.1'], { requestCert: true })
})

after(async () => {
  await stop()
  for (const server of running) await server.stop()
})

for (const [transport, { more }] of Object.entries(TRANSPORTS) as ['rss', { more: object }][]) {
  const run = ({ url }: Running, given: object = {}) =>
    collect(transport, { url: `${url}/${transport}/`, ca_certificate, timeout_seconds: 5, ...more, ...given })

  test(`${transport} trusts a server with a valid certificate, and no other unless configured to`, async () => {
    await run(good)
    for (const server of [expired, foreign]) {
      await assert.rejects(run(server), { name: 'TransportError', kind: 'certificate' })
      await run(server, { verify_ssl: false })
    }
    await assert.rejects(run(good, { ca_certificate: '' }), { kind: 'certificate' })
  })

  test(`${transport} sends the client certificate`, async () => {
    const { certificate, key } = authority.issue({ names: ['client'] })
    await run(asking, { client_certificate: certificate, client_key: key })
    const error = await run(asking).catch((reason: unknown) => reason)
    assert.ok(error instanceof TransportError)
    assert.ok(['certificate', 'cut-off'].includes(error.kind), error.kind)
    await assert.rejects(run(asking, { client_certificate: certificate, client_key: 'hunter2' }), {
      kind: 'configuration',
      message: /^127\.0\.0\.1:\d+: the certificates or the key of the connection cannot be read$/,
    })
  })

  test(`${transport} uses the proxy`, async () => {
    const proxy = await startProxy()
    running.push(proxy)
    await run(good, { proxy: proxy.url })
    assert.deepEqual([...new Set(proxy.tunnels)], [`127.0.0.1:${good.port}`])
    await assert.rejects(run(expired, { proxy: proxy.url }), { kind: 'certificate' })
  })
}

test('an encrypted key is opened with its passphrase', async () => {
  const { certificate, key } = authority.issue({ names: ['client'] })
  const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' } as const
  const client_key = createPrivateKey(key).export(cipher)
  const given = { url: `${asking.url}/rss/`, ca_certificate, client_certificate: certificate, client_key }
  await collect('rss', { ...given, client_key_passphrase: 'open sesame' })
  await assert.rejects(collect('rss', { ...given, client_key_passphrase: 'wrong' }), { kind: 'configuration' })
})
