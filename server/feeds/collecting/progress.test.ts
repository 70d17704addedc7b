import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Item } from '../../engine/context.ts'
import { progressOf } from './progress.ts'

const list = (...keys: string[]) => keys.map((key) => ({ key }))
const keysOf = (listed: readonly { key: string }[]) => listed.map(({ key }) => key)

test('fetched items are not fetched again, while new and changed ones are', () => {
  const first = progressOf(null, list('a 1', 'b 1'))
  assert.deepEqual(keysOf(first.left), ['a 1', 'b 1'])
  first.note(true)
  first.note(true)
  assert.deepEqual(keysOf(progressOf(first.end(), list('a 1', 'b 2', 'c 1')).left), ['b 2', 'c 1'])
})

test('the cursor is small in the middle of a list of 100,000 items, and bounded at its end', () => {
  const progress = progressOf(
    null,
    Array.from({ length: 100_000 }, (_, at) => ({ key: `${at}` })),
  )
  let longest = 0
  for (const _ of progress.left) longest = Math.max(longest, JSON.stringify(progress.note(true)).length)
  assert.ok(longest < 100, `${longest}`)
  assert.ok(JSON.stringify(progress.end()).length < 801_000)
})

test('everything on the list is fetched in the end, despite interruptions, failures and changes', () => {
  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })
  const run = fc.record({ keys, missed: fc.array(fc.boolean()), breaksAfter: fc.option(fc.nat(20), { nil: 99 }) })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 6 }), keys, (runs, last) => {
      const taken = new Set<string>()
      let cursor: Item | null = null
      const play = (listed: readonly number[], missed: readonly boolean[], breaksAfter: number) => {
        const progress = progressOf(cursor, list(...listed.map(String)))
        for (const [at, { key }] of progress.left.entries()) {
          if (at === breaksAfter) return
          if (!missed[at]) taken.add(key)
          cursor = progress.note(!missed[at])
        }
        cursor = progress.end()
      }
      for (const { keys: listed, missed, breaksAfter } of runs) play(listed, missed, breaksAfter)
      play(last, [], 99)
      assert.deepEqual(
        last.filter((key) => !taken.has(String(key))),
        [],
      )
      assert.deepEqual(progressOf(cursor, list(...last.map(String))).left, [])
    }),
  )
})

test('a run that is interrupted after an item that failed fetches that item the next time', () => {
  const listed = list('a', 'b', 'c')
  const first = progressOf(null, listed)
  first.note(true)
  first.note(false)
  const cursor = first.note(true)
  assert.deepEqual(keysOf(progressOf(cursor, listed).left), ['b', 'c'])
})
