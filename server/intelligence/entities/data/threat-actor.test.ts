import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import { threatActor } from './threat-actor.ts'

const faults = (fields: object): string[] => {
  const { error } = threatActor.safeParse({ type: 'threat-actor', title: 'x', ...fields }, { error: messageOf })
  return error ? faultsOf(error) : []
}

test('a threat actor consists of words and lists of words', () => {
  const sent = {
    type: 'threat-actor',
    title: 'x',
    threat_actor_types: ['crime-syndicate'],
    names: ['a'],
    aliases: ['b', 'c'],
    roles: ['director'],
    goals: ['Steal'],
    sophistication: 'expert',
    resource_level: 'government',
    primary_motivation: 'ideology',
    secondary_motivations: ['dominance'],
    personal_motivations: [],
    first_seen: '2024-01-29T07:42:07Z',
    confidence: { type: 'confidence', value: 'High' },
    x_own: { value: 'kept' },
  }
  assert.deepEqual(threatActor.parse(sent), sent)
})

test('records of the older schema are one error that says what to send', () => {
  const old = 'the records of the older threat-actor schema are no longer accepted'
  for (const field of ['sophistication', 'resource_level', 'primary_motivation']) {
    for (const value of [{ value: 'x' }, [{ value: 'x' }, { value: 'y' }]])
      assert.deepEqual(faults({ [field]: value }), [`${field}: must be a word: ${old}`])
  }
  const lists = ['names', 'aliases', 'roles', 'goals', 'secondary_motivations', 'personal_motivations']
  for (const field of [...lists, 'threat_actor_types']) {
    for (const value of [{ value: 'x' }, [{ value: 'x' }, { value: 'y' }], ['x', { value: 'y' }]])
      assert.deepEqual(faults({ [field]: value }), [`${field}: must be a list of words: ${old}`])
  }
})

test('a field of the older schema is an error that names its replacement', () => {
  const replaced = {
    identity: [{ type: 'identity', name: 'x' }, 'names, aliases and roles'],
    motivations: [[{ value: 'Ego' }], 'primary_motivation'],
    types: [[{ value: 'Hacker' }], 'threat_actor_types'],
    planning_and_operational_supports: [[{ value: 'Training' }], 'resource_level'],
  }
  for (const [field, [value, current]] of Object.entries(replaced)) {
    const [fault, ...more] = faults({ [field]: value })
    assert.match(fault ?? '', new RegExp(`^${field}: is of the older .*: send ${current} `))
    assert.deepEqual(more, [])
  }
})

test('errors of the older schema are reported together with the others', () => {
  const sent = { identity: { name: 'x' }, sophistication: [{ value: 'x' }], aliases: ['a', 5], description: 5 }
  assert.deepEqual(
    faults(sent).map((fault) => fault.split(':')[0]),
    ['description', 'aliases[1]', 'sophistication', 'identity'],
  )
})
