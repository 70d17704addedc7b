import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectsOf } from './entity-rule.ts'

const looks = {
  tlp_color: 'GREEN',
  tags: ['old', 'kept'],
  taxonomies: ['Sector / Bank'],
  datasets: [],
  title: 'APT1',
  type: 'ttp',
}

test('the differences of a sample are what was added, removed and changed', () => {
  const after = {
    tlp_color: 'AMBER',
    tags: ['kept', 'new'],
    taxonomies: [],
    datasets: ['Watched'],
    title: 'APT1 (Open feed)',
    type: 'attack-pattern',
  }
  assert.deepEqual(effectsOf({ before: looks, after }), [
    { kind: 'tlp', value: 'AMBER', before: 'GREEN' },
    { kind: 'converted', value: 'attack-pattern', before: 'ttp' },
    { kind: 'alias', value: 'APT1 (Open feed)', before: 'APT1' },
    { kind: 'tag_added', value: 'new' },
    { kind: 'tag_removed', value: 'old' },
    { kind: 'taxonomy_removed', value: 'Sector / Bank' },
    { kind: 'dataset_added', value: 'Watched' },
  ])
  assert.deepEqual(effectsOf({ before: looks, after: looks }), [])
})
