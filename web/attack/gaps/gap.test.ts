import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NamedNode } from '../nodes.ts'
import { type Gap, gainInWords, percent } from './gap.ts'
import { csvOf } from './gap-csv.ts'
import { matchingGaps, sortedGaps } from './gap-search.ts'

const node = (id: string, type: NamedNode['type'], name: string, parent: string | null): [string, NamedNode] => [
  id,
  { id, type, name, parent, external_id: id.split(':').at(-1) ?? id },
]
const NODES = new Map([
  node('TA0001', 'tactic', 'Initial Access', 'enterprise-attack'),
  node('TA0001:T1', 'technique', 'Open "door"', 'TA0001'),
  node('TA0001:T1.001', 'subtechnique', '=cmd', 'TA0001:T1'),
])
const gap = (id: string, more: Partial<Gap> = {}): Gap => ({
  id,
  count: 4,
  threat: 1 / 3,
  mitigations: 1,
  detections: 1,
  analytics: 2,
  possible_analytics: 0,
  best_score: 2,
  is_detectable: false,
  share: 0.5,
  gap: 1 / 6,
  missing_log_sources: [],
  ...more,
})
const SYSLOG = { id: 1, name: 'linux:syslog', channel: 'sshd, login' }
const GAPS = [gap('TA0001:T1', { missing_log_sources: [SYSLOG] }), gap('TA0001:T1.001'), gap('TA0009:T9')]

test('CSV has one line for each gap with its technique, tactic and log sources', () => {
  assert.deepEqual(csvOf(GAPS, NODES).split('\r\n').slice(1), [
    '1,TA0001:T1,T1,"Open ""door""",Initial Access,4,0.333,0.5,0.167,2,1,1,2,0,"linux:syslog sshd, login"',
    `2,TA0001:T1.001,T1.001,"Open ""door"": =cmd",Initial Access,4,0.333,0.5,0.167,2,1,1,2,0,`,
    '3,TA0009:T9,,,,4,0.333,0.5,0.167,2,1,1,2,0,',
    '',
  ])
})

test('cells of CSV are no formulas', () => {
  const [, line] = csvOf([gap('TA0001:T1')], new Map([node('TA0001:T1', 'technique', '=cmd()', null)])).split('\r\n')
  assert.match(line ?? '', /,'=cmd\(\),/)
  const missing_log_sources = [{ id: 1, name: ' =1+1', channel: '' }]
  assert.match(csvOf([gap('TA0001:T1', { missing_log_sources })], NODES), /,' =1\+1\r\n$/)
})

test('gaps are found by all words of technique, tactic and log source', () => {
  const found = (typed: string) => matchingGaps(GAPS, NODES, typed).map(({ id }) => id)
  assert.deepEqual(found(' '), ['TA0001:T1', 'TA0001:T1.001', 'TA0009:T9'])
  assert.deepEqual(found('ACCESS door'), ['TA0001:T1', 'TA0001:T1.001'])
  assert.deepEqual(found('door sshd'), ['TA0001:T1'])
  assert.deepEqual(found('t9'), ['TA0009:T9'])
  assert.deepEqual(found('nothing'), [])
})

test('gaps are sorted by a column, equal ones by their gap', () => {
  const gaps = [gap('a', { count: 1, share: 0 }), gap('b', { count: 3 }), gap('c', { count: 3, share: 0 })]
  const sorted = (sort: string) => sortedGaps(gaps, sort).map(({ id }) => id)
  assert.deepEqual(sorted(''), ['a', 'b', 'c'])
  assert.deepEqual(sorted('-count'), ['b', 'c', 'a'])
  assert.deepEqual(sorted('share'), ['a', 'c', 'b'])
  assert.deepEqual(sorted('id'), ['a', 'b', 'c'])
})

test('a small share is not none, and a large one not all', () => {
  assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(percent), ['0%', '1%', '50%', '99%', '100%'])
})

test('a gain says how many analytics it opens, for how many techniques', () => {
  assert.equal(gainInWords({ analytics: 31, techniques: 1 }), '31 analytics for 1 technique')
})
