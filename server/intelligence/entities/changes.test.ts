import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, indicator, make } from '../../../test/set-up/entities.ts'

test('an update keeps the previous state as a version, and the same content again changes nothing', async () => {
  const made = await make({ ...indicator('First', { id: 'v-1', description: 'one' }), meta: { tags: ['x'] } })
  const again = await corvus.call('PUT', 'entities', [{ ...indicator('First', { id: 'v-1', description: 'one' }) }])
  assert.equal(again.status, 200)
  assert.equal(again.body.data[0].last_updated_at, made.last_updated_at)
  assert.deepEqual(again.body.data[0].meta.tags, ['x'], 'what is not sent stays')
  await corvus.call('PUT', 'entities', [{ ...indicator('Second', { id: 'v-1' }), meta: { tlp_color: 'GREEN' } }])
  await corvus.call('PATCH', `entities/${made.id}`, { data: { data: { title: 'Third' } } })
  const { body } = await corvus.call('GET', `entities/${made.id}/versions`)
  assert.deepEqual(
    body.data.map((version: { data: { title: string } }) => version.data.title),
    ['Second', 'First'],
  )
  assert.equal(body.data[0].meta.is_outdated_version, true)
  assert.equal(body.data[0].meta.tlp_color, 'GREEN')
  assert.equal(body.total_count, 2)
  const now = (await corvus.call('GET', `entities/${made.id}`)).body.data
  assert.equal(now.data.title, 'Third')
  assert.equal('description' in now.data, false, 'data is replaced as a whole')
  assert.ok(now.last_updated_at > made.last_updated_at)
  assert.equal(now.created_at, made.created_at)
})

test('PATCH merges data and meta, null removes properties, and the result is validated', async () => {
  const made = await make({ ...indicator('Patched', { description: 'd', x_a: { b: 1, c: 2 } }), meta: { alias: 'al' } })
  const patched = await corvus.call('PATCH', `entities/${made.id}`, {
    data: { data: { description: null, x_a: { b: null } }, meta: { tags: ['t'], estimated_threat_start_time: null } },
  })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  assert.deepEqual(patched.body.data.data.x_a, { c: 2 })
  assert.equal(patched.body.data.meta.alias, 'al')
  assert.equal(patched.body.data.meta.estimated_threat_start_time, null)
  assert.equal(patched.body.data.relevancy, null)
  const bad = await corvus.call('PATCH', `entities/${made.id}`, {
    data: { data: { title: null }, meta: { half_life: 0 } },
  })
  assert.equal(bad.status, 400)
  assert.equal(bad.body.length, 2, JSON.stringify(bad.body))
})

test('a PUT with observables replaces them, and one without keeps them', async () => {
  const put = async (item: object) => (await corvus.call('PUT', 'entities', [item])).body.data[0]
  const first = await put({
    ...indicator('Links', { id: 'l-1' }),
    observables: [{ type: 'domain', value: 'a.example' }],
  })
  const kept = await put(indicator('Links', { id: 'l-1' }))
  assert.deepEqual(kept.observables, first.observables)
  const changed = await put({
    ...indicator('Links', { id: 'l-1' }),
    observables: [{ type: 'domain', value: 'b.example' }],
  })
  assert.equal(changed.observables.length, 1)
  assert.notDeepEqual(changed.observables, first.observables)
  assert.ok(changed.last_updated_at > first.last_updated_at, 'links are a change')
  assert.deepEqual((await put({ ...indicator('Links', { id: 'l-1' }), observables: [] })).observables, [])
})

test('deleting an entity deletes everything that belongs to it', async () => {
  const one = await make({ ...indicator('One'), observables: [{ type: 'domain', value: 'hang.example' }] })
  const two = await make(indicator('Two'))
  await corvus.call('PUT', 'relationships', [
    { data: { key: 'related-to', source: one.id, target: two.id }, sources: one.sources },
  ])
  assert.equal((await corvus.call('DELETE', 'entities', [one.id, '00000000-0000-7000-8000-000000000000'])).status, 404)
  assert.equal((await corvus.call('GET', `entities/${one.id}`)).status, 200, 'nothing was deleted')
  assert.equal((await corvus.call('DELETE', 'entities', [one.id])).status, 204)
  const left = await corvus.pool.query(
    `select (select count(*) from entity_observables where source = $1) + (select count(*) from entity_versions where entity_id = $1)
      + (select count(*) from relationships where source = $1 or target = $1) as rows`,
    [one.id],
  )
  assert.equal(left.rows[0].rows, 0)
})
