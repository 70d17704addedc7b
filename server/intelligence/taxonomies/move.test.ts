import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, get, lastOf, make, type Node, patch, put, url } from '../../../test/set-up/taxonomies.ts'

test('renaming a node renames it in the paths of everything below, in the same number of statements', async () => {
  const [root, middle, leaf] = await make('Old', 'middle', 'leaf')
  await put(Array.from({ length: 50 }, (_, i) => ({ name: `leaf ${i}`, parent: middle?.id })))
  const alone = await lastOf('No children')
  const few = await corvus.statementsOf(() => patch(alone.id, { name: 'Still no children' }))
  const many = await corvus.statementsOf(async () => {
    const renamed = await patch(root?.id as number, { name: 'New', description: undefined })
    assert.equal(renamed.status, 200)
    assert.deepEqual([renamed.body.data.name, renamed.body.data.path], ['New', ['New']])
  })
  assert.equal(many, few)
  assert.deepEqual((await get(leaf?.id as number)).path, ['New', 'middle', 'leaf'])
  assert.notEqual((await get(leaf?.id as number)).last_updated_at, leaf?.last_updated_at)
  assert.equal((await corvus.call('GET', 'taxonomies?filter[path]=New/middle/leaf 7')).body.total_count, 1)
  assert.equal((await corvus.call('GET', 'taxonomies?filter[path]=Old')).body.total_count, 0)
})

test('a node moves with all that is below it, and back to the roots', async () => {
  const [from, node, leaf] = (await make('From', 'node', 'leaf')) as [Node, Node, Node]
  const [, to] = (await make('To', 'here')) as [Node, Node]
  const moved = await patch(node.id, { name: 'moved', parent: to.id, description: 'also this' })
  assert.equal(moved.status, 200)
  assert.deepEqual(moved.body.data.path, ['To', 'here', 'moved'])
  assert.deepEqual([moved.body.data.parent, moved.body.data.description], [url(to.id), 'also this'])
  assert.deepEqual((await get(leaf.id)).path, ['To', 'here', 'moved', 'leaf'])
  assert.deepEqual((await get(from.id)).children, [])
  assert.deepEqual((await patch(node.id, { parent: 'From' })).body.data.path, ['From', 'moved'])
  const free = await patch(node.id, { parent: null })
  assert.deepEqual([free.body.data.path, free.body.data.parent], [['moved'], null])
  assert.deepEqual((await get(leaf.id)).path, ['moved', 'leaf'])
})

test('a change without effect leaves no trace, and a GET response can be sent back with another name', async () => {
  const node = await lastOf('Trace', 'none')
  assert.deepEqual((await patch(node.id, {})).body.data, node)
  assert.deepEqual((await patch(node.id, node)).body.data, node)
  const renamed = await patch(node.id, { ...node, name: 'some' })
  assert.deepEqual(renamed.body.data.path, ['Trace', 'some'])
  assert.equal((await patch(node.id, { description: 'x' })).body.data.description, 'x')
  assert.equal((await patch(node.id, { description: null })).body.data.description, '')
})

test('a node cannot move below itself, to a taken name, or too deep', async () => {
  const [root, middle, leaf] = (await make('Circle', 'middle', 'leaf')) as [Node, Node, Node]
  for (const parent of [root.id, middle.id, leaf.id, 'Circle/middle/leaf']) {
    const { status, body } = await patch(root.id, { parent })
    assert.equal(status, 400)
    assert.equal(body[0].detail, 'parent: a taxonomy cannot be below itself')
  }
  assert.equal((await patch(middle.id, { parent: 2 ** 31 - 1 })).status, 400)
  assert.equal((await patch(middle.id, { name: null })).status, 400)
  assert.equal((await patch(2 ** 31 - 1, { name: 'x' })).status, 404)
  const taken = await lastOf('Circle', 'taken')
  assert.equal((await patch(taken.id, { name: 'middle' })).status, 409)
  const other = await lastOf('Square', 'middle')
  assert.equal((await patch(other.id, { parent: root.id })).status, 409)
  assert.equal((await patch(other.id, { parent: null, name: 'Circle' })).status, 409)
  const bottom = await lastOf(...Array.from({ length: 18 }, (_, i) => `shaft ${i}`))
  const { status, body } = await patch(root.id, { parent: bottom.id })
  assert.equal(status, 400)
  assert.equal(body[0].detail, 'parent: a tree can have at most 20 levels')
  assert.deepEqual((await get(leaf.id)).path, ['Circle', 'middle', 'leaf'])
})
