import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, list, tagged } from '../../../test/set-up/tags.ts'

const names = async (query: string) => (await list(query)).map(({ name }) => name)

test('tags are listed with the number of entities that have them, the most used first', async () => {
  await tagged(['list-b', 'list-a'])
  await tagged(['list-b', 'list-c'])
  const { status, body } = await corvus.call('GET', 'tags?filter[name]=list-')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    count: 3,
    data: [
      { name: 'list-b', count: 2 },
      { name: 'list-a', count: 1 },
      { name: 'list-c', count: 1 },
    ],
    limit: 100,
    offset: 0,
    total_count: 3,
    cursor: null,
  })
  assert.deepEqual(await names('filter[name]=list-&sort=name'), ['list-a', 'list-b', 'list-c'])
  assert.deepEqual(await names('filter[name]=list-&sort=-name'), ['list-c', 'list-b', 'list-a'])
  assert.deepEqual(await names('filter[name]=list-&sort=count'), ['list-a', 'list-c', 'list-b'])
  assert.deepEqual(await names('filter[name]=list-&sort=-count,-name'), ['list-b', 'list-c', 'list-a'])
  const page = (await corvus.call('GET', 'tags?filter[name]=list-&sort=name&limit=1&offset=1')).body
  assert.deepEqual([page.count, page.data[0].name, page.limit, page.offset, page.total_count], [1, 'list-b', 1, 1, 3])
  const beyond = (await corvus.call('GET', 'tags?filter[name]=list-&offset=9')).body
  assert.deepEqual([beyond.count, beyond.data, beyond.total_count], [0, [], 3])
  assert.deepEqual((await corvus.call('GET', 'tags?filter[name]=list-&data=false')).body, { total_count: 3 })
})

test('tags are found by a part of their name in any case, or by a pattern', async () => {
  await tagged(['Filter Ärger', 'filter 100%', 'filter_x', 'my filter', 'filter\\'])
  assert.deepEqual(await names('filter[name]=filter ärg'), ['Filter Ärger'])
  assert.deepEqual(await names('filter[name]=%25'), ['filter 100%'])
  assert.deepEqual(await names('filter[name]=filter_'), ['filter_x'])
  assert.deepEqual(await names('filter[name]=ER%5C'), ['filter\\'])
  assert.deepEqual(await names('filter[name]=filter*r'), ['Filter Ärger'])
  assert.deepEqual(await names('filter[name]=*FILTER'), ['my filter'])
  assert.deepEqual(await names('filter[name]=filter_x&filter[name]=*filter&sort=name'), ['filter_x', 'my filter'])
  assert.deepEqual(await names('filter[name]=no such tag'), [])
})

test('a wrong sort, filter or page is a 400', async () => {
  for (const query of ['sort=id', 'sort=name,x', 'filter[count]=1', 'filter[!name]=a', 'limit=0', 'offset=-1']) {
    const { status, body } = await corvus.call('GET', `tags?${query}`)
    assert.equal(status, 400, query)
    assert.match(body[0].detail, /sort|filter|limit|offset/)
  }
})
