import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { corvus, exported } from '../../../test/set-up/exporting.ts'

const generated_by = {
  feature: 'ai_intel_summary',
  provider: 'ai-provider-ollama',
  model: 'crow:7b',
  generated_at: '2026-01-02T03:04:05.678Z',
  prompt_hash: 'ab'.repeat(32),
  inputs: ['0198c0de-0000-7000-8000-000000000001'],
}

test('how a language model made an entity is kept, exported in STIX, and can be cleared', async () => {
  const data = { type: 'malware', title: 'Generated', id: `malware--${randomUUID()}` }
  const made = await corvus.call('POST', 'entities', { data: { data, meta: { generated_by } } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id, meta } = made.body.data
  assert.deepEqual(meta.generated_by, generated_by)

  const asked = { entities: [id], content_type: 'urn:oasis:stix:json:2.1' }
  const { objects } = JSON.parse((await exported('entities/export', asked)).document.text)
  const object = objects.find(({ type }: { type: string }) => type === 'malware')
  const extensions: { meta?: { generated_by?: unknown } }[] = Object.values(object.extensions)
  assert.deepEqual(
    extensions.flatMap((extension) => extension.meta?.generated_by ?? []),
    [generated_by],
  )

  const kept = await corvus.call('PATCH', `entities/${id}`, { data: { data: { title: 'Edited' } } })
  assert.deepEqual(kept.body.data.meta.generated_by, generated_by)
  const cleared = await corvus.call('PATCH', `entities/${id}`, { data: { meta: { generated_by: null } } })
  assert.equal(cleared.body.data.meta.generated_by ?? null, null)
})

test('an incomplete record is refused with the name of each field', async () => {
  const { status, body } = await corvus.call('POST', 'entities', {
    data: {
      data: { type: 'malware', title: 'Wrong' },
      meta: { generated_by: { ...generated_by, model: '', feature: 'A B' } },
    },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(': ')[0]),
    ['data.meta.generated_by.feature', 'data.meta.generated_by.model'],
  )
})
