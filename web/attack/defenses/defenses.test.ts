import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NamedNode } from '../nodes.ts'
import { matchingDefenses, type NamedDefense } from './defense.ts'
import { groupsOf, type LogSource } from './log-source.ts'
import { ownedOf, textsOf } from './owned.ts'
import { scoreAfter, statusAfter } from './status.ts'
import { nodesOf, techniqueOptions, techniquesOf } from './technique-option.ts'

const defense = (id: number, more: Partial<NamedDefense>): NamedDefense => ({
  id,
  type: 'mitigation',
  external_id: null,
  name: 'Own',
  domains: ['enterprise-attack'],
  is_system: true,
  mitre_platforms: null,
  ...more,
})
const DEFENSES = [
  defense(1, { external_id: 'M1031', name: 'Network Intrusion Prevention', domains: ['ics-attack'] }),
  defense(2, { external_id: 'M109', name: 'Older', mitre_platforms: ['Linux'] }),
  defense(3, { name: 'Block macros', is_system: false }),
]
const found = (filters: Partial<Parameters<typeof matchingDefenses>[1]>) =>
  matchingDefenses(DEFENSES, { typed: '', domain: '', status: '', isOwn: false, ...filters }, (id) =>
    id === 2 ? 'done' : 'none',
  ).map(({ id }) => id)

test('defenses are in the order of their ids, after your own', () => {
  assert.deepEqual(found({}), [3, 2, 1])
})

test('defenses meet all filters', () => {
  assert.deepEqual(found({ typed: 'm10 network' }), [1])
  assert.deepEqual(found({ typed: 'linux' }), [2])
  assert.deepEqual(found({ domain: 'ics-attack' }), [1])
  assert.deepEqual(found({ status: 'none' }), [3, 1])
  assert.deepEqual(found({ isOwn: true, status: 'done' }), [])
})

test('a score that contradicts a new status becomes the usual one', () => {
  assert.deepEqual([scoreAfter('done', 0), scoreAfter('done', 3), scoreAfter('partial', 4)], [4, 3, 2])
  assert.deepEqual([scoreAfter('none', 3), scoreAfter('planned', 1), scoreAfter('partial', 1)], [0, 0, 1])
})

test('a status that contradicts a new score becomes the one that fits', () => {
  assert.deepEqual(
    [statusAfter(3, 'done'), statusAfter(3, 'partial'), statusAfter(0, 'planned')],
    ['done', 'partial', 'planned'],
  )
  assert.deepEqual(
    [statusAfter(4, 'none'), statusAfter(2, 'done'), statusAfter(0, 'done')],
    ['done', 'partial', 'none'],
  )
})

test('the day of a review is kept by the form', () => {
  const stored = {
    owner: 'http://corvus.test/api/v2/users/7',
    note: 'a',
    review_at: '2027-01-31T00:00:00.000000+00:00',
  }
  assert.deepEqual(ownedOf(textsOf(stored)), { owner: '7', note: 'a', review_at: '2027-01-31T00:00:00Z' })
  assert.deepEqual(ownedOf({ owner: '', note: ' ', review_at: '' }), { owner: null, note: '', review_at: null })
})

const source = (id: number, name: string, channel: string, is_collected = false): LogSource => ({
  id,
  name,
  channel,
  is_collected,
  owner: null,
  note: '',
  review_at: null,
  analytics: 1,
  techniques: 1,
})
const SOURCES = [
  source(1, 'linux:syslog', 'sshd'),
  source(2, 'WinEventLog:Security', 'EventCode=4688', true),
  source(3, 'WinEventLog:Security', 'EventCode=104'),
]
const shown = (...filters: [string, Parameters<typeof groupsOf>[2]]) =>
  groupsOf(SOURCES, ...filters).map(({ name, sources }) => [name, ...sources.map(({ id }) => id)])

test('log sources are grouped by name, with their channels in order', () => {
  assert.deepEqual(shown('', ''), [
    ['linux:syslog', 1],
    ['WinEventLog:Security', 3, 2],
  ])
})

test('a search shows all channels of a matching name, else the matching ones', () => {
  assert.deepEqual(shown('security', ''), [['WinEventLog:Security', 3, 2]])
  assert.deepEqual(shown('security 4688', ''), [['WinEventLog:Security', 2]])
})

test('log sources are collected wholly, partly or not at all', () => {
  assert.deepEqual(shown('', 'partly'), [['WinEventLog:Security', 3, 2]])
  assert.deepEqual(shown('', 'no'), [['linux:syslog', 1]])
  assert.deepEqual(shown('', 'yes'), [])
  assert.deepEqual(shown('4688', 'yes'), [['WinEventLog:Security', 2]])
})

const node = (id: string, type: NamedNode['type'], name: string, parent: string | null): [string, NamedNode] => [
  id,
  { id, type, name, parent, external_id: id.split(':').at(-1) ?? id },
]
const NODES = new Map([
  node('TA1', 'tactic', 'Access', null),
  node('TA2', 'tactic', 'Impact', null),
  node('TA1:T20', 'technique', 'Door', 'TA1'),
  node('TA2:T20', 'technique', 'Door', 'TA2'),
  node('TA1:T20.001', 'subtechnique', 'Lock', 'TA1:T20'),
])

test('a technique is selected once for all its places', () => {
  const options = techniqueOptions(NODES)
  assert.deepEqual(
    options.map(({ label }) => label),
    ['T20 Door', 'T20.001 Door: Lock'],
  )
  assert.deepEqual(nodesOf(options, ['T20']), ['TA1:T20', 'TA2:T20'])
  assert.deepEqual(techniquesOf(options, new Set(['TA2:T20', 'elsewhere'])), ['T20'])
})
