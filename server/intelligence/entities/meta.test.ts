import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { entityMeta } from './meta.ts'

const faults = (value: unknown): string[] => {
  const { error } = entityMeta.safeParse(value, { error: messageOf })
  return error ? faultsOf(error) : []
}

test('every colour and reliability is accepted, null too, and a foreign one refused', () => {
  for (const tlp_color of ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED', 'CLEAR', 'AMBER_STRICT', null])
    assert.deepEqual(entityMeta.parse({ tlp_color }), { tlp_color })
  for (const source_reliability of ['A', 'B', 'C', 'D', 'E', 'F', null])
    assert.deepEqual(entityMeta.parse({ source_reliability }), { source_reliability })
  assert.match(faults({ tlp_color: 'PINK' }).join(), /^tlp_color: must be one of 'NONE', .*, not 'PINK'$/)
  assert.match(faults({ source_reliability: 'G' }).join(), /^source_reliability: must be one of 'A', .*, not 'G'$/)
})

test('the half-life is a whole number from 1 to 10000000', () => {
  for (const half_life of [1, 10_000_000]) assert.deepEqual(faults({ half_life }), [])
  assert.deepEqual(faults({ half_life: 0 }), ['half_life: must be at least 1'])
  assert.deepEqual(faults({ half_life: 10_000_001 }), ['half_life: must be at most 10000000'])
  assert.equal(faults({ half_life: 1.5 }).length, 1)
  assert.equal(faults({ half_life: '30' }).length, 1)
})

test('the estimated times are read in any form, and may be null', () => {
  for (const field of ['estimated_observed_time', 'estimated_threat_start_time', 'estimated_threat_end_time']) {
    assert.deepEqual(entityMeta.parse({ [field]: null }), { [field]: null })
    assert.deepEqual(entityMeta.parse({ [field]: '2024-01-29T09:42:07+02:00' }), {
      [field]: '2024-01-29T07:42:07.000000+00:00',
    })
    assert.deepEqual(faults({ [field]: 'soon' }), [`${field}: 'soon' is not an ISO 8601 time`])
  }
})

test('fields that only the server sets are ignored', () => {
  const sent = {
    first_ingest_time: 1,
    ingest_time: 'never',
    is_contributor_to: {},
    is_exempt_from_consolidation: 'x',
    is_outdated_version: 'x',
    is_unified_entity: 'x',
    is_unresolved_idref: 'x',
    title: 5,
    alias: 'Fancy',
  }
  assert.deepEqual(entityMeta.parse(sent), { alias: 'Fancy' })
})

test('other properties are kept', () => {
  const sent = { x_score: 7, x_deep: { list: [1, null] } }
  assert.deepEqual(entityMeta.parse(sent), sent)
})

test('tags are texts of at most 500 characters, and blank ones are left out', () => {
  assert.deepEqual(entityMeta.parse({ tags: ['', 'apt', ' '] }), { tags: ['apt'] })
  assert.deepEqual(faults({ tags: ['x'.repeat(500)] }), [])
  assert.deepEqual(faults({ tags: ['x'.repeat(501)] }), ['tags[0]: must have at most 500 characters'])
  assert.deepEqual(faults({ tags: ['a', 5] }), ['tags[1]: must be of type string, not 5'])
  assert.deepEqual(faults({ tags: 'a' }), ["tags: must be of type array, not 'a'"])
})

test('taxonomies and attacks are named by id, URL or path', () => {
  const references = [1, '2', 'https://corvus.test/api/v2/taxonomies/3', 'Actors/Crime', 'TA0001:T1566.001']
  for (const field of ['taxonomies', 'attacks']) {
    assert.deepEqual(entityMeta.parse({ [field]: references }), { [field]: references })
    assert.deepEqual(faults({ [field]: [null] }), [`${field}[0]: must be an id, a URL or a path`])
    assert.equal(faults({ [field]: [''] }).length, 1)
  }
})

test('a report template is a record or null', () => {
  for (const report_template of [null, { id: 1, name: 'Weekly', x: 1 }, { id: 'a' }])
    assert.deepEqual(entityMeta.parse({ report_template }), { report_template })
  assert.equal(faults({ report_template: 5 }).length, 1)
})

test('manual extracts name an observable by kind and value', () => {
  const whole = { kind: 'ipv4', value: '192.0.2.1', link_type: 'sighted', classification: 'bad', confidence: 'high' }
  assert.deepEqual(entityMeta.parse({ manual_extracts: [whole] }), { manual_extracts: [whole] })
  assert.deepEqual(faults({ manual_extracts: [{ value: 'x' }, { kind: 'ipv4', value: '' }] }), [
    'manual_extracts[0].kind: is required',
    'manual_extracts[1].value: must not be empty',
  ])
})

test('text that cannot be stored is refused in every place', () => {
  assert.deepEqual(faults({ alias: 'a\u0000' }), ['alias: must not contain the NUL character'])
  assert.deepEqual(faults({ x: [{ y: '\ud800' }] }), ['x[0].y: must not contain half of a surrogate pair'])
})

test('how a language model made an entity is checked, and may be null', () => {
  const generated_by = {
    feature: 'ai_intel_summary',
    provider: 'ai-provider-ollama',
    model: 'crow:7b',
    generated_at: '2026-01-02T03:04:05.678Z',
    prompt_hash: 'a'.repeat(64),
    inputs: ['0198c0de-0000-7000-8000-000000000001'],
  }
  const { prompt_hash: _, inputs: __, ...least } = generated_by
  for (const accepted of [null, generated_by, least, { ...generated_by, prompt_hash: null }])
    assert.deepEqual(entityMeta.parse({ generated_by: accepted }), { generated_by: accepted })
  for (const wrong of [
    { feature: 'A feature' },
    { provider: '' },
    { model: 'x'.repeat(201) },
    { generated_at: 'soon' },
    { prompt_hash: 'abc' },
    { inputs: Array(101).fill('1') },
    { inputs: [5] },
  ])
    assert.match(
      faults({ generated_by: { ...generated_by, ...wrong } }).join(),
      new RegExp(`^generated_by\\.${Object.keys(wrong)[0]}(\\[0\\])?: `),
    )
  assert.deepEqual(faults({ generated_by: {} }), [
    'generated_by.feature: is required',
    'generated_by.provider: is required',
    'generated_by.model: is required',
    'generated_by.generated_at: is required',
  ])
})
