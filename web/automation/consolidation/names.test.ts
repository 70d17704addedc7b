import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '../../api/resources.ts'
import { normalised, otherNames, sharedNames, spelled, spellingsOf } from './names.ts'

const entity = (data: object, meta: object = {}) => ({ data, meta }) as Pick<Entity, 'data' | 'meta'>

test('names are collected from all their fields, each once and without the title', () => {
  const actor = entity(
    { type: 'threat-actor', title: 'APT28', aliases: ['Sofacy', 'apt 28'], names: [{ value: 'Fancy Bear' }, 'SOFACY'] },
    { alias: 'Pawn Storm' },
  )
  assert.deepEqual(otherNames(actor), ['Sofacy', 'Fancy Bear', 'Pawn Storm'])
  assert.deepEqual(otherNames(entity({ type: 'tool', title: 'Nmap', aliases: null, names: ' ' })), [])
})

test('spellings of the same name are shared', () => {
  const first = entity({ type: 'threat-actor', title: 'Fancy Bear', aliases: ['Sednit'] })
  const second = entity({ type: 'threat-actor', title: 'APT28', aliases: ['FANCY-BEAR', 'Strontium'] })
  assert.deepEqual([...sharedNames(first, second, [])], ['fancybear'])
  const withAccent = sharedNames(first, second, [{ kind: 'name', value: 'Stróntium' }])
  assert.deepEqual([...withAccent], ['fancybear', 'strontium'])
})

test('names are compared as the server does', () => {
  assert.equal(normalised('APT-28'), normalised('apt 28 - G0007'))
  assert.notEqual(normalised('LockBit 3.0'), normalised('LockBit 30'))
  assert.notEqual(normalised('Notepad'), normalised('Notepad++'))
})

test('a reason shows names as the entities spell them', () => {
  const entities = [
    entity({ type: 'threat-actor', title: 'APT28', aliases: ['Fancy Bear'] }),
    entity({ type: 'threat-actor', title: 'FANCY BEAR', aliases: ['Apt 28'] }),
  ]
  const spellings = spellingsOf(entities)
  assert.equal(spelled({ kind: 'name', value: 'fancybear' }, spellings).value, 'Fancy Bear')
  assert.equal(spelled({ kind: 'names', value: 'apt28 / fancybear' }, spellings).value, 'APT28 / Fancy Bear')
  assert.equal(spelled({ kind: 'title', value: 'sofacy' }, spellings).value, 'sofacy')
  assert.equal(spelled({ kind: 'pattern', value: 'apt28' }, spellings).value, 'apt28')
})
