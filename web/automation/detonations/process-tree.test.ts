import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProcessNode, processTree } from './process-tree.ts'

const process = (pid: number | null, parent: number | null, name: string) => ({ pid, parent, name, command_line: null })
const shown = (nodes: readonly ProcessNode[]): unknown[] =>
  nodes.map(({ process: { name }, children }) => (children.length > 0 ? [name, ...shown(children)] : name))

test('processes are shown below those that started them', () => {
  const tree = processTree([
    process(1, 99, 'word'),
    process(2, 1, 'cmd'),
    process(3, 2, 'powershell'),
    process(4, 1, 'x'),
  ])
  assert.deepEqual(shown(tree), [['word', ['cmd', 'powershell'], 'x']])
})

test('processes without a known parent are at the top', () => {
  const tree = processTree([process(null, null, 'a'), process(5, 7, 'b'), process(6, 6, 'c')])
  assert.deepEqual(shown(tree), ['a', 'b', 'c'])
})

test('every process is shown once, also in a circle', () => {
  const tree = processTree([process(1, 2, 'a'), process(2, 1, 'b'), process(3, 1, 'c')])
  assert.deepEqual(shown(tree), [['a', 'c'], 'b'])
})
