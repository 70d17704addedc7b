import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '../../api/resources.ts'
import { copyOf, createBody, draftOf, newDraft, patchBody } from './entity-draft.ts'

const entity = {
  data: { type: 'indicator', title: 'Beacon', id: 'x', likely_impact: { value: 'High', description: 'd' }, extra: [1] },
  meta: { tags: ['a'], title: 'Beacon', ingest_time: 't', tlp_color: 'RED', estimated_threat_end_time: null },
  sources: ['http://h/api/v2/sources/s1'],
  observables: ['http://h/api/v2/observables/1'],
} as unknown as Entity

test('a form starts with the editable fields', () => {
  const { meta, source, data } = draftOf(entity)
  assert.deepEqual({ meta, source }, { meta: { tags: ['a'], tlp_color: 'RED' }, source: 's1' })
  assert.equal(data, entity.data)
})

test('only changes are sent, with null for cleared fields', () => {
  const before = draftOf(entity)
  const { extra: _, ...data } = before.data
  const after = { ...before, data: { ...data, likely_impact: { value: 'Low' } }, meta: { tags: [] } }
  assert.deepEqual(patchBody(before, after, entity.observables), {
    data: {
      data: { likely_impact: { value: 'Low', description: null }, extra: null },
      meta: { tags: [], tlp_color: null },
    },
  })
  assert.equal(patchBody(before, { ...before }, entity.observables), undefined)
})

test('new observables are sent in addition to existing ones', () => {
  const before = draftOf(entity)
  const observable = { type: 'domain', value: 'a.example' }
  assert.deepEqual(patchBody(before, { ...before, observables: [observable] }, entity.observables), {
    data: { observables: ['http://h/api/v2/observables/1', observable] },
  })
})

test('a new entity has its type, and a copy has no identifying fields of the original', () => {
  assert.deepEqual(createBody(newDraft({ type: 'custom-entity', customType: 'fraud' })), {
    data: { data: { type: 'custom-entity', custom_entity_type: 'fraud' }, meta: {} },
  })
  const { data } = copyOf(entity)
  assert.equal(data.id, undefined)
  assert.equal(data.title, 'Beacon (copy)')
  assert.deepEqual(data.extra, [1])
})
