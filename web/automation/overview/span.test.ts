import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskTimes } from '../task-times.ts'
import { spanOf } from './span.ts'

const times = (last: string | null, next: string | null): TaskTimes => ({
  next_run_at: next,
  last_run:
    last === null ? undefined : { id: 'r', task: '/tasks/1', state: 'SUCCESS', created_at: last, ended_at: last },
})

test('the latest run and the first coming run of several tasks are shown', () => {
  assert.deepEqual(spanOf(new Map()), { last: null, next: null })
  const all = [
    times('2026-11-01T00:00:00+00:00', '2026-11-09T00:00:00+00:00'),
    times('2026-11-03T00:00:00+00:00', null),
    times(null, '2026-11-08T00:00:00+00:00'),
  ]
  assert.deepEqual(spanOf(new Map(all.map((each, i) => [String(i), each]))), {
    last: '2026-11-03T00:00:00+00:00',
    next: '2026-11-08T00:00:00+00:00',
  })
})
