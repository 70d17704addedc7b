import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { v5 } from 'uuid'
import { crashing } from '../set-up/crashing.ts'

const EVENTS = 40
const NAMESPACE = '1b1f0c52-38a7-4e83-9b44-2f6f6a7e9d10'

const { call, count, ...server } = crashing({ CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' })

const uuidOf = (n: number): string => v5(`event ${n}`, NAMESPACE)
const timeOf = (n: number): string => String(1_700_000_000 + n)

/** How often each event was requested. */
const asked = new Map<string, number>()
/** The server is killed during this event: after it is fetched, before it is stored. */
const FATAL = `${uuidOf(20)}.json`
const fetching = Promise.withResolvers<void>()
const publisher = createServer((request, response) => {
  const name = request.url?.split('/').at(-1) ?? ''
  asked.set(name, (asked.get(name) ?? 0) + 1)
  const events = Array.from({ length: EVENTS }, (_, n) => [uuidOf(n), { timestamp: timeOf(n), info: `Event ${n}` }])
  if (name === 'manifest.json') return void response.end(JSON.stringify(Object.fromEntries(events)))
  const n = events.findIndex(([uuid]) => name === `${uuid}.json`)
  const attribute = {
    uuid: v5(`attribute ${n}`, NAMESPACE),
    type: 'domain',
    category: 'Network activity',
    to_ids: true,
  }
  const Event = {
    uuid: uuidOf(n),
    info: `Event ${n}`,
    date: '2024-01-01',
    timestamp: timeOf(n),
    Attribute: [{ ...attribute, value: `host-${n}.crash.example`, timestamp: timeOf(n) }],
  }
  response.end(JSON.stringify({ Event }))
  if (name === FATAL) fetching.resolve()
})
before(async () => {
  publisher.listen(0, '127.0.0.1')
  await once(publisher, 'listening')
})
after(() => {
  publisher.closeAllConnections()
  publisher.close()
})

test('a feed that is killed between fetching and storing loses nothing and stores nothing twice', async () => {
  const { port } = publisher.address() as AddressInfo
  const { data: feed } = await call('POST', 'incoming-feeds', {
    name: 'Crashing',
    transport_type: 'misp-feed',
    transport_configuration: { url: `http://127.0.0.1:${port}/feed` },
  })
  const start = async () => {
    const { data } = await call('POST', `incoming-feeds/${feed.id}/run`)
    return data.task_run.split('/').at(-1)
  }
  const killed = await start()
  const blobs = `incoming-feeds/${feed.id}/blobs`
  await fetching.promise
  await server.kill()
  await server.start()
  assert.ok((await count(blobs)) <= 21, 'it must be in the middle')
  // The lost run would resume by itself, but only later.
  await call('DELETE', `tasks/runs/${killed}`)
  const { state, error_detail } = await server.run(await start())
  assert.equal(state, 'SUCCESS', error_detail ?? '')
  assert.equal(await count(blobs), EVENTS)
  assert.equal(await count(`${blobs}?filter[state]=SUCCESS`), EVENTS)
  assert.equal(await count(`entities?filter[sources]=${feed.source.split('/').at(-1)}`), await count('entities'))
  for (let n = 0; n < EVENTS; n++) {
    assert.equal(await count(`observables?filter[value]=host-${n}.crash.example`), 1)
    // Stored events are not fetched again. Those being fetched may be.
    assert.ok((asked.get(`${uuidOf(n)}.json`) ?? 0) <= 2)
  }
})
