import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Branch,
  isComplete,
  NEW_CONDITION,
  NEW_TREE,
  readTree,
  storedTree,
  treeInWords,
  withAdded,
  withNode,
  withoutNode,
} from './criteria-tree.ts'

const title = { ...NEW_CONDITION, value: 'apt' }
const tag = { ...NEW_CONDITION, path: 'meta.tags', value: '^test', isPattern: true, isNegated: true }
const tree: Branch = {
  kind: 'branch',
  operator: 'AND',
  nodes: [title, { kind: 'branch', operator: 'OR', nodes: [tag, title] }],
}

test('a tree survives being stored and read', () => {
  assert.deepEqual(readTree(storedTree(tree)), tree)
  assert.deepEqual(readTree(storedTree(title)), { ...NEW_TREE, nodes: [title] })
  for (const other of [null, 'a query', [], { operator: 'AND' }]) assert.equal(readTree(other), undefined)
})

test('nodes are replaced, added and removed at any depth without touching the others', () => {
  const changed = withNode(tree, [1, 0], title)
  assert.equal(treeInWords(changed), 'data.title is “apt” and (data.title is “apt” or data.title is “apt”)')
  assert.equal(changed.nodes[0], tree.nodes[0])
  assert.equal(treeInWords(withAdded(tree, [], tag)).split(' and ').length, 3)
  assert.equal(treeInWords(withAdded(tree, [1], tag)).split(' or ').length, 3)
  assert.equal(withAdded(tree, [0], tag), tree)
  assert.deepEqual(withoutNode(tree, [0]).nodes, [tree.nodes[1]])
})

test('a group that becomes empty is removed, but not the root', () => {
  assert.deepEqual(withoutNode(withoutNode(tree, [1, 1]), [1, 0]), { ...tree, nodes: [title] })
  assert.deepEqual(withoutNode(NEW_TREE, [0]), { ...NEW_TREE, nodes: [] })
})

test('a tree is complete once every condition has a path and a value', () => {
  assert.equal(isComplete(tree), true)
  assert.equal(isComplete(NEW_TREE), false)
  assert.equal(isComplete(withNode(tree, [1, 1], { ...title, path: ' ' })), false)
  assert.equal(isComplete({ ...NEW_TREE, nodes: [] }), false)
})

test('a tree is described in words', () => {
  assert.equal(treeInWords(tree), 'data.title is “apt” and (meta.tags does not match /^test/ or data.title is “apt”)')
})
