import assert from 'node:assert/strict'
import { test } from 'node:test'
import { observableTypeName } from '../domain/observables.ts'
import { groupName, manyOf, plural, typeName } from './names.ts'
import { barsOf, barsWithin, rangeOf } from './time-bars.ts'

const times = ['2026-01-01T05:00:00Z', '2026-01-01T23:00:00Z', '2026-01-03T01:00:00Z', '2026-01-10T12:00:00Z']

test('bars cover whole days from the first to the last, and count every node once', () => {
  const bars = barsOf(times)
  assert.deepEqual([bars.length, bars[0]?.from], [10, Date.parse('2026-01-01T00:00:00Z')])
  assert.deepEqual(
    bars.map(({ count }) => count),
    [2, 0, 1, 0, 0, 0, 0, 0, 0, 1],
  )
  const few = barsOf(times, 4)
  assert.deepEqual([few.length, few.reduce((sum, { count }) => sum + count, 0)], [4, 4])
  const hours = barsOf(times.slice(0, 2), 6)
  assert.deepEqual([hours.length, hours[0]?.count, hours.at(-1)?.count], [6, 1, 1])
})

test('without different times there are no bars', () => {
  assert.deepEqual([barsOf([]), barsOf(['x']), barsOf([times[0] ?? '', times[0] ?? ''])], [[], [], []])
})

test('a range of bars maps to a range of time, open at its ends, and back', () => {
  const bars = barsOf(times)
  assert.deepEqual(rangeOf(bars, [0, 9]), { from: null, until: null })
  const range = rangeOf(bars, [2, 4])
  assert.deepEqual(range, { from: '2026-01-03T00:00:00.000Z', until: '2026-01-05T23:59:59.999Z' })
  assert.deepEqual(barsWithin(bars, range), [2, 4])
  assert.deepEqual(barsWithin(bars, { from: null, until: null }), [0, 9])
  assert.deepEqual(barsWithin(bars, { from: '2027-01-01T00:00:00Z', until: null }), [9, 9])
})

test('types and groups have display names', () => {
  assert.deepEqual(['domain', 'ipv4', 'hash-md5', 'hash-sha256', 'hash-sha1', 'card-owner'].map(observableTypeName), [
    'domain',
    'IPv4 address',
    'MD5 hash',
    'SHA-256 hash',
    'SHA-1 hash',
    'card owner',
  ])
  assert.deepEqual(['domain', 'IPv4 address', 'city', 'MD5 hash', 'malware', 'course of action'].map(plural), [
    'domains',
    'IPv4 addresses',
    'cities',
    'MD5 hashes',
    'malware',
    'courses of action',
  ])
  assert.deepEqual([manyOf(1, 'node'), manyOf(12_345, 'node')], ['1 node', '12,345 nodes'])
  assert.deepEqual([typeName('entity:threat-actor'), typeName('observable:domain')], ['Threat actor', 'Domain'])
  const group = { kind: 'relationship', name: 'x', direction: 'out', key: 'uses', type: 'malware', count: 4 } as const
  assert.deepEqual(
    [
      groupName(group),
      groupName({ ...group, direction: 'in', type: 'threat-actor' }),
      groupName({ ...group, key: '', type: 'ttp' }),
      groupName({ ...group, kind: 'observable', type: 'domain' }),
      groupName({ ...group, kind: 'holder', type: 'report' }),
    ],
    ['uses → malware', 'threat actors → uses', 'related → TTPs', 'Domains', 'In reports'],
  )
})
