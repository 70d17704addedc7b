import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retried } from './retried.ts'

const transient = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })

test('a transaction that conflicts repeatedly runs until it succeeds', async () => {
  let attempts = 0
  const result = await retried(async () => {
    if (++attempts < 9) throw transient()
    return 'done'
  })
  assert.deepEqual([result, attempts], ['done', 9])
})

test('transactions that keep failing run one at a time', async () => {
  let [running, most] = [0, 0]
  const work = () => {
    let attempt = 0
    return retried(async () => {
      attempt++
      running++
      if (attempt >= 4) most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      if (attempt < 6) throw transient()
      return attempt
    })
  }
  assert.deepEqual(await Promise.all([work()]), [6])
  assert.equal(most, 1)
  const all = await Promise.all(Array.from({ length: 5 }, work))
  assert.deepEqual(all, [6, 6, 6, 6, 6])
})

test('other errors are not tried again, and the number of attempts is limited', async () => {
  let attempts = 0
  const fail = (error: Error) =>
    retried(async () => {
      attempts++
      throw error
    })
  await assert.rejects(fail(new Error('ours')), /ours/)
  assert.equal(attempts, 1)
  attempts = 0
  await assert.rejects(fail(transient()), /deadlock/)
  assert.equal(attempts, 10)
})
