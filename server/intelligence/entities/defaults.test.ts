import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const set = (name: string, data: object) => corvus.call('PUT', `configurations/${name}`, { data })

async function make(data: object = {}, meta?: object) {
  const item = { data: { type: 'indicator', title: 'Made', ...data }, ...(meta && { meta }) }
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

test('without default values a new entity has neither confidence nor colour', async () => {
  const { data, meta } = await make()
  assert.deepEqual([data.confidence, meta.tlp_color], [undefined, null])
})

test('a new entity gets the default values, and is found and shown with them', async () => {
  await set('default-values', { entity: { confidence: 'medium', tlp: 'GREEN' } })
  const made = await make({ title: 'Defaulted' })
  assert.deepEqual([made.data.confidence, made.meta.tlp_color], ['medium', 'GREEN'])
  const { body } = await corvus.call('GET', `entities/${made.id}`)
  assert.deepEqual([body.data.data.confidence, body.data.meta.tlp_color], ['medium', 'GREEN'])
  const query = encodeURIComponent('data.confidence:medium AND data.title:defaulted')
  assert.equal((await corvus.call('GET', `entities?query=${query}`)).body.total_count, 1)
  assert.equal((await corvus.call('GET', 'entities?filter[meta.tlp_color]=GREEN')).body.total_count, 1)
})

test('sent values are kept, including a null colour', async () => {
  const own = await make({ confidence: 'high' }, { tlp_color: 'AMBER' })
  assert.deepEqual([own.data.confidence, own.meta.tlp_color], ['high', 'AMBER'])
  const none = await make({}, { tlp_color: null })
  assert.deepEqual([none.data.confidence, none.meta.tlp_color], ['medium', null])
})

test('PUT gives the defaults to what is new and leaves what is known as it is', async () => {
  const item = { data: { id: '{https://x.example/}indicator-1', type: 'indicator', title: 'Known', confidence: 'low' } }
  const first = await corvus.call('PUT', 'entities', [{ ...item, meta: { tlp_color: 'RED' } }])
  assert.equal(first.status, 201, JSON.stringify(first.body))
  const { confidence: _, ...silent } = item.data
  const again = await corvus.call('PUT', 'entities', [
    { data: silent },
    { data: { type: 'indicator', title: 'Beside it' } },
  ])
  const shown = again.body.data.map(
    ({ data, meta }: { data: { confidence?: string }; meta: { tlp_color: string } }) => [
      data.confidence,
      meta.tlp_color,
    ],
  )
  assert.deepEqual(shown, [
    [undefined, 'RED'],
    ['medium', 'GREEN'],
  ])
})

test('an entity of a custom type has its confidence as a record', async () => {
  await corvus.call('POST', 'entity-definitions', { data: { name: 'X', type: 'x' } })
  const { data } = await make({ type: 'custom-entity', custom_entity_type: 'x' })
  assert.deepEqual(data.confidence, { type: 'confidence', value: 'Medium' })
})

test('the STIX ids of new entities begin with the namespace that is set', async () => {
  assert.ok((await make()).data.id.startsWith(`{${BASE}/}indicator-`))
  await set('stix', { namespace: 'https://intel.example/' })
  assert.ok((await make()).data.id.startsWith('{https://intel.example/}indicator-'))
})
