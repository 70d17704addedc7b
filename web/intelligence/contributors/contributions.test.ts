import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contributor, originInWords, originsOf, otherValues } from './contributions.ts'

const contributor = (id: string, source_name: string): Contributor => ({
  entity: `http://x/api/v2/entities/${id}`,
  stix_id: `intrusion-set--${id}`,
  title: 'Lazarus Group',
  type: 'intrusion-set',
  source: 'http://x/api/v2/sources/1',
  source_name,
  source_reliability: 'B',
  tlp_color: 'GREEN',
  confidence: null,
  last_updated_at: '2026-01-01T00:00:00Z',
  is_assigned: false,
  reason: null,
  since: '2026-01-01T00:00:00Z',
  contributes: true,
  why_not: null,
})

const all = [contributor('a', 'MITRE'), contributor('b', 'Vendor'), contributor('c', 'Vendor')]
const origin = (from: string | readonly string[] | null) => ({
  field: 'data.description',
  value: 'x',
  from,
  rule: 'Its source is the most reliable.',
  others: [],
})

test('the origin of a field is found by URL, for one contributor and for several', () => {
  assert.deepEqual(originsOf(origin(all[1]?.entity ?? ''), all), [all[1]])
  assert.deepEqual(originsOf(origin(all.map(({ entity }) => entity)), all), all)
  assert.deepEqual(originsOf(origin(null), all), [])
})

test('the origin in words names each source once', () => {
  assert.equal(
    originInWords(origin(all.map(({ entity }) => entity)), all),
    'From MITRE, Vendor. Its source is the most reliable.',
  )
  assert.equal(originInWords(origin(null), all), 'Its source is the most reliable.')
  const six = Array.from({ length: 6 }, (_, i) => contributor(`n${i}`, `S${i}`))
  assert.match(originInWords(origin(six.map(({ entity }) => entity)), six), /^From S0, S1, S2, S3 and 2 more\./)
})

test('equal values that were not chosen are shown once, with all that have them', () => {
  const [a, b, c] = all.map(({ entity }) => entity)
  const others = [
    { entity: b ?? '', value: ['x'] },
    { entity: a ?? '', value: 'y' },
    { entity: c ?? '', value: ['x'] },
  ]
  assert.deepEqual(otherValues({ others }, all), [
    { value: ['x'], contributors: [all[1], all[2]] },
    { value: 'y', contributors: [all[0]] },
  ])
})
