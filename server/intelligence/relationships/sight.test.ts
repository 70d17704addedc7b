import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
/** A user who sees everything that the administrator sees, and the hidden source. */
let insider: string
/** The source of the administrator's group, and one that they cannot see. */
let own: string
let hiddenSource: string
/** Two entities that the administrator sees, and a hidden one. */
let one: string
let other: string
let hidden: string

const idOf = async (token: string): Promise<number> =>
  (await corvus.call('GET', 'users/self', undefined, token)).body.data.id

before(async () => {
  corvus = await startApp()
  insider = await corvus.tokenFor('all')
  hiddenSource = (await corvus.blindGroup('Hidden')).source
  const sources = [`${hiddenSource}?allowed_tlp=RED`]
  await corvus.call('POST', 'groups', { name: 'Insiders', users: [await idOf(insider)], sources })
  const made = await corvus.call('PUT', 'entities', [
    { data: { type: 'malware', title: 'One' } },
    { data: { type: 'malware', title: 'Other' } },
    { data: { type: 'malware', title: 'Hidden' }, sources: [hiddenSource] },
  ])
  assert.equal(made.status, 201, JSON.stringify(made.body))
  ;[one, other, hidden] = made.body.data.map(({ id }: { id: string }) => id)
  own = made.body.data[0].sources[0]
})
after(() => corvus.stop())

const relate = (source: string, key: string, target: string, more: object = {}) => ({
  data: { source, key, target },
  sources: [own],
  ...more,
})

test('a relationship is seen by those who see both of its ends', async () => {
  for (const [source, target] of [
    [one, hidden],
    [hidden, one],
  ] as const) {
    const made = await corvus.call('POST', 'relationships', relate(source, 'half-seen', target), insider)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const path = `relationships/${made.body.data.id}`
    assert.equal((await corvus.call('GET', path, undefined, insider)).status, 200)
    assert.equal((await corvus.call('GET', path)).status, 404)
  }
  assert.equal((await corvus.call('GET', 'relationships?filter[key]=half-seen')).body.total_count, 0)
})

test('a relationship cannot lead to an entity that its author does not see', async () => {
  for (const item of [relate(one, 'guessed', hidden), relate(hidden, 'guessed', one)]) {
    const refused = await corvus.call('POST', 'relationships', item)
    assert.equal(refused.status, 400)
    assert.match(refused.body[0].detail, /there is no/)
  }
})

test('an update keeps the sources that the caller does not see, and the meta that it does not give', async () => {
  const meta = { estimated_threat_start_time: '2024-01-01T00:00:00.000000+00:00', source_reliability: 'B' }
  const both = { sources: [own, hiddenSource], meta }
  const made = (await corvus.call('POST', 'relationships', relate(one, 'kept', other, both))).body.data
  assert.deepEqual(made.sources, [own])
  const data = { source: one, key: 'kept', target: other, description: 'again' }
  const again = await corvus.call('PUT', 'relationships', [{ data, sources: [own] }])
  assert.deepEqual([again.status, again.body.data[0].id], [200, made.id])
  assert.partialDeepStrictEqual(again.body.data[0].meta, meta)
  const { body } = await corvus.call('GET', `relationships/${made.id}`, undefined, insider)
  assert.deepEqual(body.data.sources.toSorted(), [own, hiddenSource].toSorted())
})

test('a relationship that becomes RED is hidden from those who see no RED', async () => {
  const reader = await corvus.tokenFor(['read entities'])
  const { rows } = await corvus.pool.query('select max(id) as id from users')
  const user = rows[0].id
  await corvus.pool.query('delete from group_users where target = $1', [user])
  await corvus.call('POST', 'groups', { name: 'Green', users: [user], sources: [`${own}?allowed_tlp=GREEN`] })
  const made = (await corvus.call('POST', 'relationships', relate(one, 'coloured', other))).body.data
  const status = async () => (await corvus.call('GET', `relationships/${made.id}`, undefined, reader)).status
  assert.equal(await status(), 200)
  const red = { data: { meta: { tlp_color: 'RED' }, sources: [own] } }
  assert.equal((await corvus.call('PATCH', `relationships/${made.id}`, red)).status, 200)
  assert.equal(await status(), 404)
})
