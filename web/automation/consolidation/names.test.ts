import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '../../api/resources.ts'
import { otherNames, sharedNames } from './names.ts'

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
