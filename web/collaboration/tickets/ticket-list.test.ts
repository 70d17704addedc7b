import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticket } from '../../api/resources.ts'
import {
  adjacentStatus,
  fromInput,
  isOverdue,
  statusName,
  type Tickets,
  ticketParameters,
  toInput,
  withFirst,
  without,
} from './ticket-list.ts'

const ticket = (id: number) => ({ id, status: 'OPEN' }) as Ticket

const column = (...ids: number[]): Tickets => ({
  pageParams: [''],
  pages: [{ data: ids.map(ticket), count: ids.length, total_count: 9, limit: 50, offset: 0, cursor: null }],
})

const idsOf = ({ pages }: Tickets) => pages.flatMap(({ data }) => data.map(({ id }) => id))

test('empty filters are not sent', () => {
  const none = { assignee: '', priority: '', workspace: '' }
  assert.deepEqual(Object.keys(ticketParameters(none)), ['sort', 'limit'])
  const some = ticketParameters({ ...none, assignee: '4', workspace: '2' }, 'CLOSED')
  assert.deepEqual([some['filter[assignee]'], some['filter[workspaces]'], some['filter[status]']], ['4', '2', 'CLOSED'])
})

test('a ticket moves from one column to the next, within the board', () => {
  assert.equal(adjacentStatus('OPEN', 1), 'IN_PROGRESS')
  assert.equal(adjacentStatus('PENDING', -1), 'IN_PROGRESS')
  assert.equal(adjacentStatus('OPEN', -1), undefined)
  assert.equal(adjacentStatus('CLOSED', 1), undefined)
  assert.equal(adjacentStatus('', 1), 'OPEN')
})

test('a moved ticket is on top of its new column, and both counts are updated', () => {
  const left = without(column(1, 2, 3), 2)
  assert.deepEqual([idsOf(left), left.pages[0]?.total_count], [[1, 3], 8])
  const joined = withFirst(column(4), ticket(2))
  assert.deepEqual([idsOf(joined), joined.pages[0]?.total_count], [[2, 4], 10])
  const again = withFirst(joined, ticket(2))
  assert.deepEqual([idsOf(again), again.pages[0]?.total_count], [[2, 4], 10])
})

test('closed tickets are never overdue', () => {
  const due_at = '2026-01-01T00:00:00+00:00'
  const later = Date.parse('2026-01-02T00:00:00Z')
  assert.equal(isOverdue({ due_at, status: 'OPEN' }, later), true)
  assert.equal(isOverdue({ due_at, status: 'CLOSED' }, later), false)
  assert.equal(isOverdue({ due_at: null, status: 'OPEN' }, later), false)
})

test('times are converted to inputs and back in UTC', () => {
  assert.equal(toInput('2026-05-01T10:30:00.000000+00:00'), '2026-05-01T10:30')
  assert.equal(fromInput('2026-05-01T10:30'), '2026-05-01T10:30:00Z')
  assert.deepEqual([toInput(null), fromInput('')], ['', null])
})

test('every status has a name, including none', () => {
  assert.deepEqual(['IN_PROGRESS', '', 'NEW'].map(statusName), ['In progress', 'No status', 'NEW'])
})
