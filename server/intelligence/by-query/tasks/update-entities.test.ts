import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../../test/app.ts'
import { corvus, done, type Item, make, outcome, read, reports } from '../../../../test/set-up/by-query.ts'

test('an update changes what it names, keeps the rest, and leaves a version as PATCH does', async () => {
  const [node] = await make('taxonomies', { path: 'by/query' })
  const leaf = (await corvus.call('GET', 'taxonomies?filter[name]=query')).body.data[0]
  const meta = { tags: ['old', 'kept'], tlp_color: 'GREEN', taxonomies: [node.id], attacks: ['TA0001'], half_life: 77 }
  const [first = '', second = ''] = await reports([
    { title: 'wren one', meta },
    {
      title: 'wren two',
      meta: { tags: ['kept', 'new'], tlp_color: 'RED', taxonomies: [leaf.id], attacks: ['TA0002'] },
    },
  ])
  const change = {
    entities_query: 'data.title:wren',
    added_tags: [' new ', ''],
    removed_tags: ['old'],
    added_taxonomies: ['by/query'],
    removed_taxonomies: [`${BASE}/api/v2/taxonomies/${node.id}`],
    added_attacks: ['TA0002'],
    removed_attacks: [`${BASE}/api/v2/attacks/TA0001`],
    confidence: 'High',
    tlp_color: 'RED',
  }
  assert.deepEqual((await done('entities/by-query/update', change)).result, outcome(2, 2))
  for (const id of [first, second]) {
    const { data, meta: now } = await read(id)
    assert.equal(data.confidence, 'high')
    assert.deepEqual([now.tags, now.tlp_color], [['kept', 'new'], 'RED'])
    assert.deepEqual(now.taxonomies, [`${BASE}/api/v2/taxonomies/${leaf.id}`])
    assert.deepEqual(now.attacks, [`${BASE}/api/v2/attacks/TA0002`])
  }
  assert.equal((await read(first)).meta.half_life, 77)
  const versions = (await corvus.call('GET', `entities/${first}/versions`)).body.data
  assert.deepEqual([versions.length, versions[0].meta.tags, versions[0].meta.tlp_color], [1, ['old', 'kept'], 'GREEN'])
  assert.deepEqual((await done('entities/by-query/update', change)).result, outcome(2, 0, 2))
  assert.equal((await corvus.call('GET', `entities/${first}/versions`)).body.total_count, 1)
  const found = await corvus.call('GET', 'entities?query=tags:new AND meta.taxonomies:*&data=false')
  assert.equal(found.body.total_count, 2)
  await done('entities/by-query/update', { entities_query: 'data.title:wren', tlp_color: null })
  assert.equal((await read(second)).meta.tlp_color, null)
})

test('a tag that an update adds can be found by a pattern', async () => {
  await reports([{ title: 'siskin' }])
  await done('entities/by-query/update', { entities_query: 'data.title:siskin', added_tags: ['quartzite'] })
  const { body } = await corvus.call('GET', 'entities?query=tags:*artzi*&data=false')
  assert.equal(body.total_count, 1)
})

test('the confidence stays in the form in which an entity has it', async () => {
  await corvus.call('POST', 'entity-definitions', { data: { name: 'Bird', type: 'bird' } })
  const data = [
    { type: 'report', title: 'linnet', confidence: { type: 'confidence', value: 'Low', description: 'a guess' } },
    { type: 'custom-entity', title: 'linnet', custom_entity_type: 'bird' },
    { type: 'report', title: 'linnet', confidence: 'high' },
  ]
  const made = await corvus.call(
    'PUT',
    'entities',
    data.map((each) => ({ data: each })),
  )
  const query = { entities_query: 'data.title:linnet', confidence: 'High' }
  assert.deepEqual((await done('entities/by-query/update', query)).result, outcome(3, 2, 1))
  const now = await Promise.all(made.body.data.map(async ({ id }: { id: string }) => (await read(id)).data.confidence))
  assert.deepEqual(now, [
    { type: 'confidence', value: 'High', description: 'a guess' },
    { type: 'confidence', value: 'High' },
    'high',
  ])
})

test('a tag that an update adds is found by a part of it', async () => {
  const [id] = await reports([{ title: 'nightjar' }])
  await done('entities/by-query/update', { entities_query: 'data.title:nightjar', added_tags: ['crepuscular'] })
  const { body } = await corvus.call('GET', 'entities?query=tags:*puscul*')
  assert.deepEqual(
    body.data.map((entity: Item) => entity.id),
    [id],
  )
})
