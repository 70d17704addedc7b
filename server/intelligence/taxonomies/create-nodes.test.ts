import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, lastOf, make, pathsIn, put, total } from '../../../test/set-up/taxonomies.ts'

test('PUT makes and updates nodes, and answers one for each item in the order of the request', async () => {
  const items = [
    { path: 'Motive/Money/Extortion', description: 'first' },
    { name: 'Motive' },
    { name: 'Fame', parent: 'Motive' },
    { path: ['Motive', 'Money'] },
  ]
  const made = await put(items)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.deepEqual(pathsIn(made), ['Motive/Money/Extortion', 'Motive', 'Motive/Fame', 'Motive/Money'])
  const again = await put([...items].reverse())
  assert.equal(again.status, 200)
  assert.deepEqual(again.body.data, [...made.body.data].reverse())

  const mixed = await put([{ path: 'Motive/Money', description: 'changed' }, { path: 'Motive/Hate/Rivals' }])
  assert.equal(mixed.status, 201)
  assert.deepEqual(pathsIn(mixed), ['Motive/Money', 'Motive/Hate/Rivals'])
  assert.equal(mixed.body.data[0].description, 'changed')
  const single = await put({ name: 'Money', parent: 'Motive' })
  assert.equal(single.status, 200)
  assert.equal(single.body.data.description, 'changed', 'what is not given stays')
})

test('PUT accepts what GET returned', async () => {
  await make('Kept', 'As it is')
  const { data } = (await corvus.call('GET', 'taxonomies?limit=500')).body
  const { status, body } = await put(data)
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  assert.deepEqual(body.data, data)
})

test('PUT of a whole tree needs no order', async () => {
  const answer = await put([
    { name: 'leaf', parent: 'tree/branch' },
    { name: 'branch', parent: ['tree'] },
    { name: 'tree' },
  ])
  assert.deepEqual(pathsIn(answer), ['tree/branch/leaf', 'tree/branch', 'tree'])
  const before = await total()
  const { status, body } = await put([
    { name: 'leaf', parent: 'no tree/branch' },
    { name: 'branch', parent: 'no tree' },
  ])
  assert.equal(status, 400)
  assert.deepEqual(body[0].detail, `[1].parent: there is no 'no tree' in taxonomies.`)
  assert.equal(await total(), before)
})

test('a duplicate node in one PUT is refused with both positions', async () => {
  const before = await total()
  const { status, body } = await put([{ path: 'Double/one' }, { path: 'Double' }, { name: 'one', parent: 'Double' }])
  assert.equal(status, 400)
  assert.equal(body[0].detail, '[0] and [2] have the same parent and name.')
  assert.equal(await total(), before)
})

test('names of 500 characters make a path of 20 levels', async () => {
  const names = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(500))
  assert.deepEqual((await lastOf(...names)).path, names)
})

test('a PUT takes the same number of statements for 5 nodes and for 1,000, however deep', async () => {
  const paths = (count: number, tag: string) =>
    Array.from({ length: count }, (_, i) => ({ path: [tag, `${i % 7}`, `${i}`] }))
  await put(paths(5, 'few'))
  const few = await corvus.statementsOf(() => put(paths(5, 'some')))
  const many = await corvus.statementsOf(async () => {
    assert.equal((await put(paths(1000, 'many'))).status, 201)
  })
  const deep = await corvus.statementsOf(() => put([{ path: Array.from({ length: 20 }, () => 'deep') }]))
  assert.deepEqual([many, deep], [few, few])
})
