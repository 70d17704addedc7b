import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentsOf, typeName, workspaceParameters } from './workspace-list.ts'

test('open workspaces are shown by default, archived or all on request', () => {
  assert.equal(workspaceParameters('', '')['filter[status]'], 'open')
  assert.equal(workspaceParameters('closed', 'case')['filter[status]'], 'closed')
  assert.equal(workspaceParameters('closed', 'case')['filter[type]'], 'case')
  assert.equal('filter[status]' in workspaceParameters('all', ''), false)
})

test('the contents of a workspace are counted, and zero counts are omitted', () => {
  assert.deepEqual(contentsOf({ tickets: ['a'], datasets: ['a', 'b'], entities: [], files: [] }), [
    '1 ticket',
    '2 datasets',
  ])
  assert.equal(typeName('threat-model'), 'Threat model')
})
