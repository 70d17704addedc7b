import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, indicator, make } from '../../../test/set-up/entities.ts'

test('titles are found by term, phrase and wildcard, whatever the case', async () => {
  await make({ ...indicator('Lazarus Group moves to "quoted" Linux'), meta: { tags: ['titles'] } })
  await make({ ...indicator('Group of nobody'), meta: { tags: ['titles'] } })
  const found = (title: string) => count(`filter[tags]=titles&filter[data.title]=${encodeURIComponent(title)}`)
  assert.equal(await found('lazarus'), 1)
  assert.equal(await found('group'), 2)
  assert.equal(await found('GROUP lazarus'), 1)
  assert.equal(await found('"lazarus group"'), 1)
  assert.equal(await found('"group lazarus"'), 0)
  assert.equal(await found('laz*'), 1)
  assert.equal(await found('*azar*'), 1)
  assert.equal(await found('*'), 2)
  assert.equal(await found('"\\"quoted\\""'), 1)
  assert.equal(await found('azarus'), 0)
  assert.equal(await found('!?'), 0)
  assert.equal(await count('filter[tags]=titles&filter[data.title]=lazarus&filter[data.title]=nobody'), 2)
  assert.equal(await count('filter[tags]=titles&filter[!data.title]=lazarus'), 1)
})

test('types are filtered by their current and their older names', async () => {
  await make({ data: { type: 'eclecticiq-sighting', title: 'Seen' } })
  for (const query of ['filter[type]=vendor-sighting', 'filter[data.type]=eclecticiq-sighting']) {
    assert.equal(await count(query), 1, query)
  }
})
