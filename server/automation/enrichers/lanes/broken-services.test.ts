import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Enrichers, finds, type Reply, startEnrichers, status } from '../../../../test/set-up/enrichers.ts'
import { until } from '../../../../test/until.ts'

const LOOK_UPS = 20
const CONCURRENCY = 4
const ENTITIES = 400
const READS = 100
const MIB = 2 ** 20

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

/** How many bytes of large answers were taken from the source, by call. */
const taken: number[] = []

const large: Reply = (response) => {
  const piece = Buffer.alloc(MIB, 'x')
  const { socket } = response
  response.on('close', () => taken.push(socket?.bytesWritten ?? Number.POSITIVE_INFINITY))
  response.on('error', () => {})
  response.writeHead(200)
  let left = 100
  const write = () => {
    while (left-- > 0 && response.write(piece));
    if (left < 0) response.end()
  }
  response.on('drain', write)
  write()
}

/** Services that do not work, and the most calls that each of them may receive: for a second one, the first must have ended. */
const BROKEN: Readonly<Record<string, { readonly reply: Reply; readonly most: number }>> = {
  silent: { reply: () => {}, most: CONCURRENCY + 4 },
  large: { reply: large, most: LOOK_UPS },
  page: { reply: (response) => void response.writeHead(200).end('<html>Sign in</html>'), most: LOOK_UPS },
  refusing: { reply: status(401), most: CONCURRENCY },
  limiting: { reply: status(429, { 'retry-after': '900' }), most: CONCURRENCY },
  failing: { reply: status(500), most: CONCURRENCY + 4 },
}

const bundle = JSON.stringify({
  type: 'bundle',
  id: 'bundle--7f3c1f1e-0a51-4a5c-9d8e-3b7a2c1d4e5f',
  objects: Array.from({ length: ENTITIES }, (_, i) => ({
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--7f3c1f1e-0a51-4a5c-9d8e-${String(i).padStart(12, '0')}`,
    created: '2024-01-01T00:00:00.000Z',
    modified: '2024-01-01T00:00:00.000Z',
    name: `Indicator ${i}`,
    pattern: `[domain-name:value = 'host-${i}.import.example']`,
    pattern_type: 'stix',
    valid_from: '2024-01-01T00:00:00.000Z',
  })),
})

test('broken services of enrichers do not hold up imports, other enrichers or the API', async () => {
  const items = Array.from({ length: LOOK_UPS }, (_, i) => ({ type: 'domain', value: `${i}.broken.example` }))
  const observables = (await corvus.ask('PUT', 'observables', items)).map(({ id }: { id: number }) => id)
  const memory = () => process.memoryUsage().arrayBuffers
  const [before, peak] = [memory(), { bytes: 0 }]
  const watch = setInterval(() => {
    peak.bytes = Math.max(peak.bytes, memory())
  }, 5)
  const runs = new Map<string, string>()
  for (const [name, { reply }] of Object.entries(BROKEN)) {
    const { id } = await corvus.enricher({ name, concurrency: CONCURRENCY })
    corvus.source.answers(`/${name}`, reply)
    runs.set(name, await corvus.run({ enrichers: [id], observables }))
  }
  await until(
    () => Object.keys(BROKEN).every((name) => corvus.source.callsTo(`/${name}`).length > 0),
    'not all are asked',
  )

  const data = Buffer.from(bundle).toString('base64')
  const file = await corvus.ask('POST', 'files', { name: 'bundle.json', data })
  const healthy = await corvus.enricher({ name: 'healthy' })
  corvus.source.answers('/healthy', finds({ kind: 'verdict', maliciousness: 'low' }))
  const good = await corvus.run({ enrichers: [healthy.id], observables })
  const answers: number[] = []
  for (let i = 0; i < READS; i++) {
    answers.push((await corvus.call('GET', i % 2 === 0 ? 'entities?limit=10' : 'enrichments?limit=10')).status)
    await setImmediate()
  }
  const imported = await corvus.ended(file.run.split('/').at(-1))
  const done = await corvus.ended(good)
  clearInterval(watch)

  assert.deepEqual(new Set(answers), new Set([200]))
  assert.partialDeepStrictEqual(imported, { state: 'SUCCESS', result: { entities: { created: ENTITIES }, lost: 0 } })
  assert.partialDeepStrictEqual(done, { state: 'SUCCESS', result: { found: LOOK_UPS } })
  for (const name of ['silent', 'limiting', 'failing'])
    assert.equal((await corvus.readRun(runs.get(name) ?? '')).ended_at, null, `the run of '${name}' waits`)
  for (const name of ['large', 'page', 'refusing'])
    assert.equal((await corvus.ended(runs.get(name) ?? '')).state, 'FAILURE', name)
  for (const [name, { most }] of Object.entries(BROKEN)) {
    const { length } = corvus.source.callsTo(`/${name}`)
    assert.ok(length <= most, `'${name}' received ${length} calls`)
  }
  assert.equal(taken.length, LOOK_UPS)
  assert.ok(Math.max(...taken) < 20 * MIB, `an answer was read up to ${Math.max(...taken)} bytes`)
  assert.ok(peak.bytes - before < 100 * MIB, `${peak.bytes - before} bytes more were in memory`)
})
