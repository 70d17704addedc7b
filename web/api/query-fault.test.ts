import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError } from './call.ts'
import { queryFault } from './query-fault.ts'

const refused = (status: number, detail: string) => new CallError(status, [{ status, title: '', detail }])

test('a syntax error has a position', () => {
  assert.deepEqual(queryFault(refused(400, 'query: A quote is not closed. (column 6)'), 20), {
    message: 'A quote is not closed.',
    column: 5,
  })
  assert.deepEqual(queryFault(refused(422, 'Too many clauses. (column 600)'), 7)?.column, 7)
})

test('an error without a position is not a syntax error', () => {
  assert.equal(queryFault(refused(400, 'limit: must be a number'), 3), undefined)
  assert.equal(queryFault(refused(500, 'broken (column 6)'), 3), undefined)
  assert.equal(queryFault(new Error('lost (column 6)'), 3), undefined)
})
