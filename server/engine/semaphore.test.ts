import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createSemaphore } from './semaphore.ts'

test('work runs in the order of arrival, never more at once than there are slots, even if some fails', async () => {
  const places = createSemaphore(2)
  const begun: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, i) =>
      places(async () => {
        begun.push(i)
        most = Math.max(most, ++running)
        await setImmediate()
        running--
        if (i % 3 === 0) throw new Error(`${i}`)
        return i
      }),
    ),
  )
  assert.equal(most, 2)
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6])
  assert.deepEqual(
    results.map(({ status }) => status === 'fulfilled'),
    [false, true, true, false, true, true, false],
  )
  assert.equal(await places(async () => 'still open'), 'still open')
})
