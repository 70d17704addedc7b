import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsFor } from './palette-commands.ts'

const labels = (typed: string, may: (permission: string) => boolean = () => true) =>
  commandsFor(typed, may).flatMap(({ commands }) => commands.map(({ label }) => label))

test('commands are found by all words of what is typed, wherever they stand', () => {
  assert.deepEqual(labels('feed inc'), ['Incoming feeds', 'Add an incoming feed'])
  assert.deepEqual(labels('nothing of that kind'), [])
})

test('nobody is shown what they may not do', () => {
  assert.deepEqual(
    labels('entity', (permission) => permission.startsWith('read ')),
    [],
  )
  assert.ok(!labels('', () => false).includes('Search'))
  assert.ok(labels('', () => false).includes('Profile'))
  assert.deepEqual(
    labels('administration', (permission) => permission === 'read roles'),
    ['Administration'],
  )
  assert.deepEqual(
    labels('administration', () => false),
    [],
  )
})
