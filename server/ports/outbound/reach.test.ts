import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { after, before, test } from 'node:test'
import { startServer } from '../../../test/set-up/hostile-server.ts'
import { leadsAway, ssrfCorpus } from '../../../test/set-up/ssrf-corpus.ts'
import { type Outbound, openOutbound } from '../outbound.ts'
import { isPublic, readNetwork } from './networks.ts'

const LIMITS = { timeoutMs: 5000, idleMs: 5000, mostBytes: 1000 }
/** Stands in for the public internet: only this local address is allowed. */
const PUBLIC = '127.0.0.1'
const PRIVATE = '127.0.0.2'

/** The addresses of each name, one result per look-up. */
const names = new Map<string, string[][]>([
  ['localhost', [['127.0.0.1', '::1']]],
  ['localhost.', [['127.0.0.1', '::1']]],
])
const lookup: LookupFunction = (name, _options, callback) => {
  const answers = names.get(name)
  const addresses = answers && (answers.length > 1 ? answers.shift() : answers[0])
  if (!addresses) return callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), [])
  callback(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
}

let server: Awaited<ReturnType<typeof startServer>>
const strict = openOutbound([], lookup)
const allowed = [readNetwork(PUBLIC)].filter((network) => network !== undefined)
const outbound = openOutbound(allowed, lookup)

const ways: Record<string, (port: Outbound, url: string) => Promise<unknown>> = {
  fetch: (port, url) => port.fetch(url, { redirect: 'follow' }, LIMITS),
  open: (port, url) => port.open(url, {}, LIMITS).then((opened) => opened.close()),
}

before(async () => {
  server = await startServer((request, response) => {
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to')
    if (to === null) response.end('reached')
    else response.writeHead(302, { location: to }).end()
  })
})

after(async () => {
  await strict.close()
  await outbound.close()
  await server.stop()
})

for (const [way, call] of Object.entries(ways)) {
  test(`${way} refuses every address in the corpus and calls none`, async () => {
    const before = server.asked.length
    for (const [what, url] of ssrfCorpus(server.port)) {
      await assert.rejects(call(strict, url), { name: 'OutboundError', kind: 'refused-address' }, what)
    }
    assert.equal(server.asked.length, before)
  })

  test(`${way} follows no redirect to an address in the corpus`, async () => {
    const elsewhere = ssrfCorpus(server.port).filter(([, url]) => leadsAway(url, server.url) && /^[!-~]+$/.test(url))
    assert.ok(elsewhere.length > 100)
    for (const [what, url] of elsewhere) {
      const before = server.asked.length
      await assert.rejects(
        call(outbound, `${server.url}/?to=${encodeURIComponent(url)}`),
        { name: 'OutboundError' },
        what,
      )
      assert.equal(server.asked.length, before + 1, what)
    }
  })

  test(`${way} uses the very address that was checked, even if the name changes later`, async () => {
    const url = `http://rebinding.test:${server.port}/`
    names.set('rebinding.test', [[PUBLIC], [PRIVATE]])
    await call(outbound, url)
    names.set('rebinding.test', [[PRIVATE], [PUBLIC]])
    await assert.rejects(call(outbound, url.replace('rebinding', 'REBINDING')), { kind: 'refused-address' })
    for (const addresses of [['::1'], ['10.0.0.1', 'fd00::1'], ['::ffff:127.0.0.2'], ['64:ff9b::7f00:1']]) {
      names.set('inside.test', [addresses])
      const refused = { kind: 'refused-address', message: /^inside\.test is not a public address/ }
      await assert.rejects(call(outbound, `http://inside.test:${server.port}/`), refused)
      await assert.rejects(call(outbound, `${server.url}/?to=http://inside.test:${server.port}/`), refused)
    }
  })

  test(`${way} skips the private addresses of a name that has both kinds`, async () => {
    names.set('both.test', [[PRIVATE, '10.0.0.1', PUBLIC]])
    const before = server.asked.length
    await call(outbound, `http://both.test:${server.port}/`)
    assert.equal(server.asked.length, before + 1)
  })
}

test('through a proxy, a name with any private address is refused, a name that only the proxy can resolve is not', async () => {
  const connection = { proxy: server.url }
  const open = async (host: string) => (await outbound.open(`http://${host}/`, {}, LIMITS, connection)).close()
  names.set('both.test', [[PUBLIC, PRIVATE]])
  names.set('public.test', [[PUBLIC]])
  await assert.rejects(open('both.test'), { kind: 'refused-address' })
  await open('public.test')
  await open('only-the-proxy.test')
  names.set('proxy.test', [[PRIVATE]])
  const hidden = { proxy: `http://proxy.test:${server.port}` }
  await assert.rejects(outbound.open('http://public.test/', {}, LIMITS, hidden), { kind: 'refused-address' })
})

test('public addresses are public', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00::1',
  ]) {
    assert.equal(isPublic(address), true, address)
  }
})
