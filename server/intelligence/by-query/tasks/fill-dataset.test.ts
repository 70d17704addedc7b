import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  corvus,
  done,
  type Item,
  make,
  outcome,
  PERMISSIONS,
  reports,
  statusOf,
} from '../../../../test/set-up/by-query.ts'

test('a dataset is filled, narrowed and emptied', async () => {
  const [a, b, c] = await reports([{ title: 'bunting red' }, { title: 'bunting blue' }, { title: 'sparrow' }])
  const { id } = await make('datasets', { name: 'Birds', workspaces: [1], entities: [b, c] })
  const path = `datasets/${id}/entities/by-query`
  const inside = async () =>
    (await corvus.call('GET', `entities?filter[datasets]=${id}`)).body.data.map((each: Item) => each.id)
  assert.deepEqual((await done(path, { entities_query: 'data.title:bunting' })).result, outcome(2, 1, 1))
  assert.deepEqual(await inside(), [a, b, c])
  const replaced = await done(path, { entities_query: 'data.title:blue', action: 'replace' })
  assert.deepEqual(replaced.result, { matched: 1, changed: 2, unchanged: 1, failed: 0, batches: 2 })
  assert.deepEqual(await inside(), [b])
  assert.deepEqual((await done(path, { entities_query: '*', action: 'remove' })).result.changed, 1)
  assert.deepEqual(await inside(), [])
  const dynamic = await make('datasets', { name: 'By itself', workspaces: [1], search_query: 'x' })
  for (const [dataset, status] of [
    [dynamic.id, 400],
    [999_999, 404],
    ['x', 404],
  ] as const) {
    const answer = await corvus.call('POST', `datasets/${dataset}/entities/by-query`, { entities_query: '*' })
    assert.equal(answer.status, status, `${dataset} ${JSON.stringify(answer.body)}`)
  }
})

test('runs change only visible entities and datasets', async () => {
  const loner = await corvus.tokenFor(PERMISSIONS)
  const { id: user } = (await corvus.call('GET', 'users/self', undefined, loner)).body.data
  const group = await make('groups', { name: 'Loners', users: [user] })
  const { source } = (await corvus.call('GET', `groups/${group.id}`)).body.data
  const [hidden = ''] = await reports([{ title: 'nightjar hidden', sources: [source] }], loner)
  const [open = ''] = await reports([{ title: 'nightjar open' }])
  const { id: dataset } = await make('datasets', { name: 'Dusk', workspaces: [1] })
  const query = { entities_query: 'data.title:nightjar' }
  const path = `datasets/${dataset}/entities/by-query`
  assert.deepEqual((await done(path, query, loner)).result, outcome(2, 2))
  const emptied = await done(path, { entities_query: 'data.title:no_such_bird', action: 'replace' })
  assert.deepEqual([emptied.result.matched, emptied.result.changed], [0, 1])
  const left = (await corvus.call('GET', `datasets/${dataset}`, undefined, loner)).body.data.entities_count
  assert.equal(left, 1, 'what one does not see stays')
  assert.deepEqual((await corvus.call('POST', 'entities/by-query/delete', { ...query, dry_run: true })).body, {
    data: { count: 1 },
  })
  assert.deepEqual((await done('entities/by-query/update', { ...query, added_tags: ['seen'] })).result, outcome(1, 1))
  assert.deepEqual((await done('entities/by-query/delete', query)).result, outcome(1, 1))
  assert.equal(await statusOf(open), 404)
  const still = await corvus.call('GET', `entities/${hidden}`, undefined, loner)
  assert.deepEqual([still.status, still.body.data.meta.tags], [200, []])
})
