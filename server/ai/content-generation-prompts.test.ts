import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { contentGenerationPrompts } from './content-generation-prompts.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const path = 'content-generation-prompts'
const example = contentGenerationPrompts.example as Record<string, unknown>

test('a prompt with missing fields is rejected with all their names', async () => {
  const { status, body } = await corvus.call('POST', path, { data: {} })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    [
      'name',
      'description',
      'content_prompt',
      'formatting_prompt',
      'entity_types',
      'target_language',
      'include_related_entities',
      'is_enabled',
      'is_pinned',
      'limit_content_length',
    ].map((field) => `data.${field}: is required`),
  )
})

test('optional fields default to null or empty', async () => {
  const { content_length: _l, max_related_entities: _m, entity_fields: _f, ...least } = example
  const { status, body } = await corvus.call('POST', path, { data: { ...least, name: 'Least' } })
  assert.equal(status, 201, JSON.stringify(body))
  const { content_length, max_related_entities, entity_fields } = body.data
  assert.deepEqual([content_length, max_related_entities, entity_fields], [null, null, []])
})

test('invalid values are rejected with the field name', async () => {
  for (const [field, value] of [
    ['name', ''],
    ['entity_types', ['unicorn']],
    ['entity_types', 'report'],
    ['target_language', 'english'],
    ['is_enabled', 'yes'],
    ['content_length', 0],
    ['content_length', 1.5],
    ['max_related_entities', -1],
    ['entity_fields', ['colour']],
  ] as const) {
    const { status, body } = await corvus.call('POST', path, { data: { ...example, [field]: value } })
    assert.equal(status, 400, `${field} ${value}`)
    assert.equal(body.length, 1)
    assert.ok(body[0].detail.startsWith(`data.${field}`), body[0].detail)
  }
})

test('the older name of a type is returned as the current one', async () => {
  const prompt = { ...example, name: 'Sightings', entity_types: ['eclecticiq-sighting', 'report'] }
  const { body } = await corvus.call('POST', path, { data: prompt })
  assert.deepEqual(body.data.entity_types, ['vendor-sighting', 'report'])
})

test('a bundle producer has a web address and a read-only name', async () => {
  const make = (data: object) => corvus.call('POST', 'configuration-bundle-producers', { data })
  for (const api_url of [undefined, 'bundles.example', 'ftp://bundles.example', 'https://a:b@bundles.example', 1]) {
    const { status, body } = await make({ api_url })
    assert.equal(status, 400, String(api_url))
    assert.ok(body[0].detail.startsWith('data.api_url'))
  }
  const { status, body } = await make({ api_url: 'https://bundles.example', name: 'Mine' })
  assert.deepEqual([status, body.data.name], [201, null])
})
