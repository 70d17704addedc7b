import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsOf, matching, moveTargets, treeOf } from './tree.ts'

const node = (id: number, name: string, parent: number | null, ...path: string[]) => ({
  id,
  name,
  description: '',
  parent: parent === null ? null : `https://corvus.test/api/v2/taxonomies/${parent}`,
  path: [...path, name],
  is_system: false,
})

const NODES = [
  node(1, 'Sector', null),
  node(2, 'Finance', 1, 'Sector'),
  node(3, 'Banks', 2, 'Sector', 'Finance'),
  node(4, 'Energy', 1, 'Sector'),
  node(5, 'Region', null),
]

test('taxonomies become trees sorted by name', () => {
  const [region, sector] = treeOf(NODES)
  assert.equal(region?.node.name, 'Region')
  assert.deepEqual(
    sector?.children.map((branch) => branch.node.name),
    ['Energy', 'Finance'],
  )
  assert.deepEqual(sector && idsOf(sector), [1, 4, 2, 3])
})

test('a search keeps matches and the path to them', () => {
  const [sector, ...others] = matching(treeOf(NODES), 'bank')
  assert.equal(others.length, 0)
  assert.deepEqual(sector && idsOf(sector), [1, 2, 3])
})

test('a taxonomy cannot be moved below itself', () => {
  const sector = treeOf(NODES).find((branch) => branch.node.id === 1)
  const finance = sector?.children.find((branch) => branch.node.id === 2)
  assert.ok(finance)
  assert.deepEqual(
    moveTargets(finance, NODES).map(({ label }) => label),
    ['Region', 'Sector', 'Sector / Energy'],
  )
})
