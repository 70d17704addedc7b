import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from './in-turns.ts'

const long = Array.from({ length: 250 }, (_, i) => i)

test('a list is mapped in its order', async () => {
  const mapped = await inTurns(long, (item, position) => item + position)
  assert.deepEqual(
    mapped,
    long.map((item) => 2 * item),
  )
})

test('other work runs while a long list is mapped', async () => {
  const order: string[] = []
  const slow = inTurns(long, (item) => item === 249 && order.push('long'))
  await inTurns([1, 2], () => order.push('short'))
  setImmediate(() => order.push('other'))
  await slow
  assert.deepEqual(order, ['short', 'short', 'other', 'long'])
})

test('an error in one list does not affect others', async () => {
  const broken = inTurns(long, (item) => {
    if (item === 120) throw new Error('broken')
    return item
  })
  const whole = inTurns(long, (item) => item)
  await assert.rejects(broken, /broken/)
  assert.equal((await whole).length, 250)
})
