import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inTurns, untilTurn } from './in-turns.ts'

const long = Array.from({ length: 250 }, (_, i) => i)

test('long lists are mapped one after the other, those of later steps first', async () => {
  const order: string[] = []
  const run = async (name: string, step: 'read' | 'learn' | 'write') => {
    const mapped = await inTurns(long, step, (item) => {
      if (item === 0) order.push(`${name} begins`)
      if (item === 249) order.push(`${name} ends`)
      return item * 2
    })
    assert.deepEqual(mapped.slice(0, 3), [0, 2, 4])
  }
  await Promise.all([run('a', 'read'), run('b', 'read'), run('c', 'write'), run('d', 'learn')])
  assert.deepEqual(
    order,
    ['a', 'c', 'd', 'b'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
})

test('the next step of what has just been read comes before what waits to be read', async () => {
  const order: string[] = []
  const request = async (name: string) => {
    for (const step of ['read', 'learn', 'write'] as const) {
      await inTurns(long, step, (item) => item === 0 && order.push(`${name} ${step}`))
    }
  }
  await Promise.all([request('a'), request('b')])
  assert.deepEqual(
    order,
    ['a', 'b'].flatMap((name) => ['read', 'learn', 'write'].map((step) => `${name} ${step}`)),
  )
})

test('what goes wrong in one list does not hold up the others', async () => {
  const broken = inTurns(long, 'read', (item) => {
    if (item === 120) throw new Error('broken')
    return item
  })
  const whole = inTurns(long, 'read', (item) => item)
  await assert.rejects(broken, /broken/)
  assert.equal((await whole).length, 250)
  assert.equal((await inTurns(long, 'write', (item) => item)).length, 250)
})

test('short lists wait for nobody', async () => {
  const order: string[] = []
  const slow = inTurns(long, 'read', (item) => item === 249 && order.push('long'))
  await inTurns([1, 2], 'read', () => order.push('short'))
  await slow
  assert.deepEqual(order, ['short', 'short', 'long'])
})

test('an answer comes after what the database is about to be given, and before what is only read', async () => {
  await setImmediate()
  const order: string[] = []
  const step = (name: 'read' | 'learn' | 'write') => inTurns(long, name, (item) => item === 0 && order.push(name))
  const answer = async (length: number) => {
    await untilTurn(length, 'answer')
    order.push(`answer of ${length}`)
  }
  await Promise.all([step('learn'), answer(250), step('read'), step('write'), answer(1)])
  assert.deepEqual(order, ['learn', 'answer of 1', 'write', 'answer of 250', 'read'])
})
