import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeOf, sectionAt } from './attack-sections.ts'

test('a page belongs to the closest section above it', () => {
  assert.equal(sectionAt('/attack')?.label, 'Matrix')
  assert.equal(sectionAt('/attack/analyses')?.label, 'Analyses')
  assert.equal(sectionAt('/attack/defenses/7')?.label, 'Defenses')
  assert.equal(sectionAt('/attacks'), undefined)
})

test('what a page covers is kept, and nothing else', () => {
  assert.deepEqual(scopeOf({ matrix: 'ics-attack', dataset: 3, sort: 'gap' }), { matrix: 'ics-attack', dataset: 3 })
})
