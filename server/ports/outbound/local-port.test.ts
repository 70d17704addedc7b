import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Outbound, openOutbound, readNetwork } from '../outbound.ts'

const LIMITS = { timeoutMs: 5000, idleMs: 5000, mostBytes: 1000 }
const PORT = 6666
/** Several runs on one machine need the same port: on Linux, this network has an address for each. */
const HERE = process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.1` : '127.0.0.1'

const received: string[] = []
const server = createServer(async (request, response) => {
  received.push(`${request.method} ${request.url} ${await text(request)}`)
  response.writeHead(200, { 'x-server': 'modules' }).end('x'.repeat(Number(request.headers['x-length'] ?? 2)))
})
const listing = openOutbound([readNetwork(HERE)].filter((network) => network !== undefined))
const strict = openOutbound([])

before(async () => {
  server.listen(PORT, HERE)
  await once(server, 'listening')
})
after(async () => {
  await Promise.all([listing.close(), strict.close()])
  server.closeAllConnections()
  server.close()
})

const ways: Record<string, (port: Outbound, url: string) => Promise<unknown>> = {
  fetch: (port, url) => port.fetch(url, {}, LIMITS),
  confidential: (port, url) => port.fetch(url, {}, { ...LIMITS, isConfidential: true }),
  open: (port, url) => port.open(url, {}, LIMITS).then((opened) => opened.close()),
}

for (const [way, call] of Object.entries(ways)) {
  test(`${way} calls the port of misp-modules only on networks that the operator lists`, async () => {
    const before = received.length
    await call(listing, `http://${HERE}:${PORT}/modules`)
    assert.equal(received.length, before + 1)
    const refused = { name: 'OutboundError', kind: 'refused-address' }
    await assert.rejects(call(strict, `http://${HERE}:${PORT}/modules`), refused)
    for (const host of ['8.8.8.8', '[2606:4700::1111]', '10.0.0.1'])
      for (const scheme of ['http', 'https'])
        await assert.rejects(call(listing, `${scheme}://${host}:${PORT}/`), refused)
    for (const port of [6665, 6667, 6379])
      await assert.rejects(call(listing, `http://${HERE}:${port}/`), /the port belongs to another protocol/)
    assert.equal(received.length, before + 1)
  })
}

test('what is fetched there is sent, received and bounded as elsewhere', async () => {
  const url = `http://${HERE}:${PORT}/query`
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"module":"dns"}' }
  const answer = await listing.fetch(url, init, LIMITS)
  assert.equal(received.at(-1), 'POST /query {"module":"dns"}')
  assert.deepEqual([answer.status, answer.headers.get('x-server'), answer.body.toString()], [200, 'modules', 'xx'])
  const large = listing.fetch(url, { ...init, headers: { 'x-length': '1001' } }, LIMITS)
  await assert.rejects(large, { name: 'OutboundError', kind: 'too-large' })
  const signal = AbortSignal.abort(new Error('stopped'))
  await assert.rejects(listing.fetch(url, { ...init, signal }, LIMITS), /stopped/)
})
