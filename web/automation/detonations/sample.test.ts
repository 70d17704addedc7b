import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Detonation } from './detonation-queries.ts'
import { blockedBy, delayedBy, isAbove, kindOf, nameOfSample, sampleOf } from './sample.ts'

const detonator = {
  state: 'ACTIVE',
  state_reason: null,
  ui_form_schema: [],
  parameters: {},
  supported_detonation_types: ['file', 'url'],
  max_tlp: 'GREEN',
  detonation_per_day_limit: 5,
  today_detonation_count: 0,
} as const

test('a detonator says why it cannot receive a sample', () => {
  assert.equal(blockedBy(detonator, 'file', 'GREEN'), undefined)
  assert.equal(blockedBy(detonator, 'file', null), undefined)
  assert.equal(blockedBy({ ...detonator, state: 'INACTIVE' }, 'file', null), 'It is inactive.')
  assert.equal(
    blockedBy({ ...detonator, state: 'SUSPENDED', state_reason: 'The key is wrong.' }, 'file', null),
    'It is suspended. The key is wrong.',
  )
  assert.equal(blockedBy({ ...detonator, supported_detonation_types: ['file'] }, 'url', null), 'It does not take URLs.')
  assert.equal(
    blockedBy(detonator, 'file', 'AMBER_STRICT'),
    'The sample is TLP:AMBER+STRICT, and it may receive at most TLP:GREEN.',
  )
  assert.equal(blockedBy({ ...detonator, max_tlp: null }, 'file', 'RED'), undefined)
})

test('colours are compared in their order', () => {
  assert.ok(isAbove('RED', 'AMBER'))
  assert.ok(!isAbove('WHITE', 'GREEN'))
  assert.ok(!isAbove('GREEN', 'GREEN'))
})

test('a sample that waits says why', () => {
  assert.equal(delayedBy(detonator), undefined)
  assert.match(delayedBy({ ...detonator, today_detonation_count: 5 }) ?? '', /midnight UTC/)
  assert.match(delayedBy({ ...detonator, state: 'UNREACHABLE' }) ?? '', /answers again/)
})

test('samples are named without addresses that could be opened', () => {
  const url = { via: 'url', url: 'https://bad.example/x' } as const
  assert.equal(kindOf(url), 'url')
  assert.ok(!nameOfSample(url).includes('bad.example'))
  assert.equal(kindOf({ via: 'observable', id: 1, name: 'a', kind: 'file' }), 'file')
})

test('a detonation is submitted again by its id, whatever its sample came from', () => {
  const base = {
    id: '7f',
    detonator: '/api/v2/detonators/3',
    state: 'FAILED',
    url: null,
    kind: 'file',
    filename: 'a.exe',
    options: {},
  }
  const again = (more: object) => sampleOf({ ...base, finished_at: '2026-11-19T12:00:00Z', ...more } as Detonation)
  assert.deepEqual(again({}), { via: 'detonation', id: '7f', name: 'a.exe', kind: 'file', detonator: 3, options: {} })
  assert.deepEqual(again({ state: 'FINISHED', kind: 'url', url: 'https://bad.example/' }), {
    via: 'detonation',
    id: '7f',
    name: 'hxxps://bad[.]example/',
    kind: 'url',
    detonator: 3,
    options: {},
    resultAt: '2026-11-19T12:00:00Z',
  })
})
