import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInWords } from './change-in-words.ts'

const shown = (field: string, value: unknown) => `<${field} ${value}>`
const told = (field: string, before: unknown, after: unknown) => changeInWords({ field, before, after }, shown)

test('a changed field is described by its old and new value', () => {
  assert.equal(told('status', 'OPEN', 'IN_PROGRESS'), 'Status: Open → In progress')
  assert.equal(told('priority', null, 'HIGH'), 'Priority: none → High')
  assert.equal(told('assignee', '/users/1', null), 'Assignee: <assignee /users/1> → none')
})

test('links are described as added or removed, and descriptions are not repeated', () => {
  assert.equal(told('entities', null, 'x'), 'Entity <entities x> was added')
  assert.equal(told('workspaces', 'x', null), 'Workspace <workspaces x> was removed')
  assert.equal(told('description', 'a', 'b'), 'The description was changed')
})
