import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInWords } from './change-in-words.ts'

const shown = (field: string, value: unknown) => `<${field} ${value}>`
const valueText = (field: string, before: unknown, after: unknown) => changeInWords({ field, before, after }, shown)

test('a changed field is described by its old and new value', () => {
  assert.equal(valueText('status', 'OPEN', 'IN_PROGRESS'), 'Status: Open → In progress')
  assert.equal(valueText('priority', null, 'HIGH'), 'Priority: none → High')
  assert.equal(valueText('assignee', '/users/1', null), 'Assignee: <assignee /users/1> → none')
})

test('links are described as added or removed, and descriptions are not repeated', () => {
  assert.equal(valueText('entities', null, 'x'), 'Entity <entities x> was added')
  assert.equal(valueText('workspaces', 'x', null), 'Workspace <workspaces x> was removed')
  assert.equal(valueText('description', 'a', 'b'), 'The description was changed')
})
