import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedNodes } from '../../../test/attack-nodes.ts'
import { parseQuery } from '../../search/query/parse.ts'
import { isPlain, type Leaf, testOf } from '../../search/sql/leaf.ts'
import { nodesFrom } from './nodes.ts'
import { successorsNamed } from './successors-named.ts'

const nodes = nodesFrom(shippedNodes)

function found(text: string): readonly string[] {
  const leaf = parseQuery(`meta.attacks:${text}`) as Leaf
  return successorsNamed(nodes, isPlain(leaf) ? leaf.text : testOf(leaf))
}

test('every spelling of a query for a dead node leads to its successors', () => {
  const dead = shippedNodes.filter(({ successors, state }) => state !== 'live' && successors.length > 0)
  assert.ok(dead.length > 100)
  for (const { id, successors } of dead)
    for (const text of [`"${id}"`, `"${id.toLowerCase()}"`, id.replace(':', '\\:'), `/${id.replaceAll('.', '\\.')}/`])
      assert.deepEqual(found(text), successors, text)
})

test('a pattern leads to the successors of all that it names, unless it names a live node', () => {
  assert.deepEqual(found('*\\:T1086'), ['TA0002:T1059.001'])
  assert.deepEqual(found('/TA0002:T1(086|154)/'), ['TA0002:T1059.001', 'TA0003:T1546.005', 'TA0004:T1546.005'])
  for (const text of ['TA0002*', '"TA0002:T1059"', '"TA0002:T9999"', '"T1086"']) assert.deepEqual(found(text), [], text)
})
