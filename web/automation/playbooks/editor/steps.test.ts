import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepKind } from '../playbook.ts'
import { newStep, pathOf, readSteps, valueAt, withCopy, withMoved } from './steps.ts'

const TAG: StepKind = {
  kind: 'tag',
  title: 'Tag',
  description: '',
  outcomes: {},
  ends: [],
  collections: ['entities'],
  parameters: {
    properties: {
      added: { type: 'array', default: [] },
      users: { type: 'array', items: { 'x-corvus-collection': 'users' } },
      note: { type: 'string' },
    },
  },
  templates: [],
}

const ids = (steps: readonly { readonly id: string }[]) => steps.map(({ id }) => id)

test('a new step has the defaults of its kind and an id of its own', () => {
  const first = newStep(TAG, [])
  assert.deepEqual(first, { id: 'tag', kind: 'tag', name: null, only_if: [], on_failure: 'stop', added: [], users: [] })
  assert.equal(newStep(TAG, [first]).id, 'tag_2')
})

test('steps are copied after themselves and moved within the list', () => {
  const steps = readSteps([
    { id: 'a', kind: 'tag' },
    { id: 'b', kind: 'tag' },
    { id: 'c', kind: 'tag' },
  ])
  assert.deepEqual(ids(withCopy(steps, 0)), ['a', 'a_2', 'b', 'c'])
  assert.deepEqual(ids(withMoved(steps, 0, 2)), ['b', 'c', 'a'])
  assert.deepEqual(ids(withMoved(steps, 2, 1)), ['a', 'c', 'b'])
  assert.equal(withMoved(steps, 0, -1), steps)
  assert.equal(withMoved(steps, 2, 3), steps)
})

test('steps of a file get the members that they lack, and ids that occur once', () => {
  const steps = readSteps([
    { id: 'a', kind: 'tag', added: ['x'] },
    { id: 'a', kind: 'stop' },
    { kind: 'stop' },
    'nothing',
  ])
  assert.deepEqual(ids(steps), ['a', 'a_2', 'stop'])
  assert.deepEqual(steps[0], { id: 'a', kind: 'tag', added: ['x'], name: null, only_if: [], on_failure: 'stop' })
})

test('the paths of choices lead to values', () => {
  assert.deepEqual(pathOf('steps[0].users'), ['steps', 0, 'users'])
  assert.equal(valueAt({ steps: [{ users: 7 }] }, pathOf('steps[0].users')), 7)
  assert.equal(valueAt({}, pathOf('trigger.query')), undefined)
})
