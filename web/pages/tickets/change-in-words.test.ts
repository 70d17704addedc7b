import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInWords } from './change-in-words.ts'

const shown = (field: string, value: unknown) => `<${field} ${value}>`
const told = (field: string, before: unknown, after: unknown) => changeInWords({ field, before, after }, shown)

test('a change of a field tells what it was and what it is', () => {
  assert.equal(told('status', 'OPEN', 'IN_PROGRESS'), 'Status: Open → In progress')
  assert.equal(told('priority', null, 'HIGH'), 'Priority: none → High')
  assert.equal(told('assignee', '/users/1', null), 'Assignee: <assignee /users/1> → none')
})

test('a link came or went, and a description is not repeated', () => {
  assert.equal(told('entities', null, 'x'), 'Entity <entities x> was added')
  assert.equal(told('workspaces', 'x', null), 'Workspace <workspaces x> was taken away')
  assert.equal(told('description', 'a', 'b'), 'The description was changed')
})
