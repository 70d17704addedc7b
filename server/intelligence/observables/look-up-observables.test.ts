import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { isCounted } from '../../../test/set-up/counting.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement)) statements++
  })
  const { source } = await corvus.blindGroup('Out of sight')
  const entity = (title: string, observables: object[], more: object = {}) => ({
    data: { type: 'malware', title },
    observables,
    ...more,
  })
  const bad = { type: 'domain', value: 'bad.example', meta: { maliciousness: 'high' } }
  const data = [
    entity('one', [bad, { type: 'ipv4', value: '192.0.2.1' }]),
    entity('two', [bad]),
    entity('hidden', [bad, { type: 'ipv4', value: '192.0.2.2' }], { sources: [source] }),
  ]
  assert.equal((await corvus.call('PUT', 'entities', { data })).status, 201)
  await corvus.call('PUT', 'observables', [{ ...bad }])
})
after(() => corvus.stop())

test('a list is divided into observables that the caller knows and others', async () => {
  const token = await corvus.tokenFor(['read extracts'])
  const text = '192[.]0.2.1\nBAD[.]example\n192.0.2.2\nhxxp://new[.]example/x\nhello there'
  const { status, body } = await corvus.call('POST', 'observables/look-up', { data: { text } }, token)
  assert.equal(status, 200, JSON.stringify(body))
  const { known, unknown, unread } = body.data
  assert.deepEqual(
    known.map(({ id, ...rest }: { id: number }) => rest),
    [
      { type: 'domain', value: 'bad.example', maliciousness: 'high', entities_count: 2 },
      { type: 'ipv4', value: '192.0.2.1', maliciousness: 'unknown', entities_count: 1 },
    ],
  )
  assert.deepEqual(unknown, [
    { type: 'ipv4', value: '192.0.2.2' },
    { type: 'uri', value: 'http://new.example/x' },
  ])
  assert.deepEqual(unread, ['hello there'])
})

test('thousands are one statement, and too many are refused', async () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => `host-${i}.example`).join('\n')
  statements = 0
  const { body } = await corvus.call('POST', 'observables/look-up', { text: list(5_000) })
  assert.equal(body.data.unknown.length, 5_000)
  assert.equal(statements, 1)
  const { status, body: refused } = await corvus.call('POST', 'observables/look-up', { text: list(10_001) })
  assert.deepEqual([status, refused[0].detail], [400, 'text: has more than 10000 observables.'])
})

test('other requests are served while a large and hostile text is read', async () => {
  const hostile = [`${')'.repeat(60_000)}x`, ']'.repeat(60_000), '0x'.repeat(30_000), '[.]'.repeat(20_000)]
  const text = `${hostile.join('\n')}\n${'words that nobody looks for, 1.2.3.4.5 or a.b(c): '.repeat(40_000)}`
  let isRead = false
  const large = corvus.call('POST', 'observables/look-up', { text }).finally(() => {
    isRead = true
  })
  // These need no database, which other tests may keep busy.
  let served = 0
  for (; !isRead; served++) {
    assert.equal((await corvus.call('GET', 'observables', undefined, 'no token')).status, 401)
    await setImmediate()
  }
  assert.equal((await large).status, 200)
  assert.ok(served >= 3, `${served} requests were served`)
})
