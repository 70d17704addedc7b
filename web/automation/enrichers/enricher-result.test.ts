import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relationName, sortFindings, strongestVerdict } from './enricher-result.ts'

test('findings are sorted by kind, and missing members are empty', () => {
  const sorted = sortFindings([
    { kind: 'tag', value: 'botnet' },
    { kind: 'link', relation: 'resolves-to', observable: { type: 'ipv4', value: '192.0.2.1' } },
    { kind: 'link', relation: 'seen-with' },
    { kind: 'entity', type: 'malware', id: '1', title: 'Emotet', url: '' },
    { kind: 'attack', node: 'T1566' },
    { kind: 'reference', url: 'https://a.example/' },
    { kind: 'attachment', name: 'sample.bin', size: 12 },
    { kind: 'verdict', maliciousness: 'low' },
    { kind: 'another' },
  ])
  const none = { first_seen: null, last_seen: null }
  assert.deepEqual(sorted, {
    verdicts: [{ maliciousness: 'low', reason: '' }],
    links: [
      { relation: 'resolves-to', type: 'ipv4', value: '192.0.2.1', ...none },
      { relation: 'seen-with', type: '', value: '', ...none },
    ],
    entities: [{ type: 'malware', title: 'Emotet', description: '', url: null }],
    tags: ['botnet'],
    nodes: ['T1566'],
    references: [{ url: 'https://a.example/', title: '' }],
    attachments: [{ name: 'sample.bin', size: 12 }],
  })
})

test('the strongest of several verdicts counts', () => {
  const verdicts = (...levels: string[]) => levels.map((maliciousness) => ({ kind: 'verdict', maliciousness }))
  assert.equal(strongestVerdict(verdicts('safe', 'high', 'low')), 'high')
  assert.equal(strongestVerdict(verdicts('safe')), 'safe')
  assert.equal(strongestVerdict(verdicts('no such level')), null)
  assert.equal(strongestVerdict([{ kind: 'tag', value: 'high' }]), null)
})

test('a relation is written in words', () => {
  assert.equal(relationName('resolves-to'), 'resolves to')
})
