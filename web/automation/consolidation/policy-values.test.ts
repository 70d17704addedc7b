import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  configurationBody,
  configurationChanges,
  configurationValues,
  lackOf,
  newConfiguration,
  policyBody,
  policyValues,
} from './policy-values.ts'

const stored = {
  id: 4,
  entity_types: ['malware'],
  half_life_choice: 'latest' as const,
  tlp_choice: 'preferred_source' as const,
  preferred_source: 'https://host/api/v2/sources/a',
  sources: ['https://host/api/v2/sources/a', 'https://host/api/v2/sources/b'],
}

test('a configuration that is read and written back is the same', () => {
  assert.deepEqual(configurationBody(configurationValues(stored)), {
    entity_types: ['malware'],
    sources: ['a', 'b'],
    half_life_choice: 'latest',
    tlp_choice: 'preferred_source',
    preferred_source: 'a',
  })
})

test('a policy without a name leaves the name to the server', () => {
  const values = policyValues()
  assert.deepEqual(policyBody({ ...values, name: '  ', mergeGroup: '3' }), {
    name: '',
    merge_group: 3,
    is_active: true,
  })
  assert.deepEqual(policyBody({ ...values, name: ' Actors ' }), { name: 'Actors', merge_group: null, is_active: true })
})

test('only what was added, changed or removed is written', () => {
  const before = [configurationValues(stored), configurationValues({ ...stored, id: 5 })]
  const [first = newConfiguration('x'), second = newConfiguration('x')] = before
  const nothing = configurationChanges(before, before)
  assert.deepEqual([nothing.created, nothing.changed, nothing.deleted], [[], [], []])
  const added = newConfiguration('new')
  const changed = { ...second, sources: [] }
  assert.deepEqual(configurationChanges(before, [changed, added]), {
    created: [added],
    changed: [changed],
    deleted: [first.id],
  })
})

test('a type moves to another configuration after the first has given it up', () => {
  const before = [
    configurationValues(stored),
    configurationValues({ ...stored, id: 5, entity_types: ['tool', 'identity'] }),
  ]
  const [first = newConfiguration('x'), second = newConfiguration('x')] = before
  const { changed } = configurationChanges(before, [
    { ...first, entityTypes: ['malware', 'tool'] },
    { ...second, entityTypes: ['identity'] },
  ])
  assert.deepEqual(
    changed.map(({ id }) => id),
    [5, 4],
  )
})

test('a policy that cannot be previewed says what is missing', () => {
  const complete = newConfiguration('x')
  assert.equal(lackOf({ configurations: [complete] }), undefined)
  assert.match(lackOf({ configurations: [] }) ?? '', /Add a configuration/)
  assert.match(lackOf({ configurations: [complete, { ...complete, entityTypes: [] }] }) ?? '', /entity types/)
  assert.match(
    lackOf({ configurations: [{ ...complete, sources: ['a'], preferredSource: 'b' }] }) ?? '',
    /one of the sources/,
  )
  const [one, two] = [
    { ...complete, entityTypes: ['malware'], sources: ['a'] },
    { ...complete, entityTypes: ['tool', 'malware'] },
  ]
  assert.equal(lackOf({ configurations: [one, two] }), 'Configurations 1 and 2 both cover Malware of the same sources.')
  assert.equal(lackOf({ configurations: [one, { ...two, sources: ['b'] }] }), undefined)
  assert.match(lackOf({ configurations: [{ ...complete, tlp: 'preferred_source' }] }) ?? '', /preferred source/)
})
