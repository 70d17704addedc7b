import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v5 } from 'uuid'
import { crashing } from '../set-up/crashing.ts'

const ENTITIES = 2500
const RELATIONSHIPS = 800
const NAMESPACE = '7f3c1f1e-0a51-4a5c-9d8e-3b7a2c1d4e5f'

const server = crashing()

const idOf = (type: string, n: number): string => `${type}--${v5(`${type} ${n}`, NAMESPACE)}`

const common = { spec_version: '2.1', created: '2024-01-01T00:00:00.000Z', modified: '2024-01-01T00:00:00.000Z' }

const bundle = JSON.stringify({
  type: 'bundle',
  id: idOf('bundle', 0),
  objects: [
    ...Array.from({ length: RELATIONSHIPS }, (_, n) => ({
      ...common,
      type: 'relationship',
      id: idOf('relationship', n),
      relationship_type: 'related-to',
      source_ref: idOf('indicator', n),
      target_ref: idOf('indicator', n + 1),
    })),
    ...Array.from({ length: ENTITIES }, (_, n) => ({
      ...common,
      type: 'indicator',
      id: idOf('indicator', n),
      name: `Indicator ${n}`,
      description: 'Seen again and again. '.repeat(20),
      pattern: `[domain-name:value = 'host-${n}.crash.test' OR ipv4-addr:value = '10.1.${n >> 8}.${n & 255}']`,
      pattern_type: 'stix',
      valid_from: '2024-01-01T00:00:00.000Z',
    })),
  ],
})

test('an import that is killed resumes after the restart, and ends as if it had not been interrupted', async () => {
  const form = new FormData()
  form.append('file', new Blob([bundle]), 'bundle.json')
  const { 'content-type': _, ...rest } = server.headers()
  const answer = await fetch(server.url('/api/v2/files'), { method: 'POST', headers: rest, body: form })
  assert.equal(answer.status, 201)
  const { data: file } = (await answer.json()) as { data: { id: number; run: string } }
  const run = file.run.split('/').at(-1) ?? ''
  const seen = await server.run(run, ({ progress, ended_at }) => progress > 0.05 || ended_at !== null)
  assert.equal(seen.ended_at, null, 'it must be in the middle')
  await server.kill()
  await server.start()
  const done = await server.run(run)
  assert.equal(done.state, 'SUCCESS', done.error_detail ?? '')
  assert.deepEqual(done.result, {
    format: 'stix-2',
    objects: ENTITIES + RELATIONSHIPS,
    entities: { created: ENTITIES },
    observables: { created: 2 * ENTITIES },
    relationships: { created: RELATIONSHIPS },
    lost: 0,
  })
  assert.equal(await server.count('entities'), ENTITIES)
  assert.equal(await server.count('relationships'), RELATIONSHIPS)
  assert.equal(await server.count('observables'), 2 * ENTITIES)
  assert.equal(await server.count(`files/${file.id}/outcomes`), ENTITIES + RELATIONSHIPS)
})
