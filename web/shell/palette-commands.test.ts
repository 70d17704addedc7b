import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsFor } from './palette-commands.ts'

const labels = (typed: string, may: (permission: string) => boolean = () => true) =>
  commandsFor(typed, may).flatMap(({ commands }) => commands.map(({ label }) => label))

test('commands match if they contain all typed words in any position', () => {
  assert.deepEqual(labels('feed inc'), ['Incoming feeds', 'Create incoming feed'])
  assert.deepEqual(labels('nothing of that kind'), [])
})

test('commands are hidden from users without the permission', () => {
  assert.deepEqual(
    labels('create entity', (permission) => permission.startsWith('read ')),
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
