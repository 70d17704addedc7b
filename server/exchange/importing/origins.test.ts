import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, entitiesOf, exported, losses, processed } from '../../../test/set-up/processing.ts'

const STIX = 'urn:oasis:stix:json:2.1'
const JSON_3 = 'urn:eclecticiq.com:json:3.2'
const UUID = '4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11'

type Fields = Record<string, unknown>

async function objectsOf(entities: readonly string[], type = STIX): Promise<{ text: string; objects: Fields[] }> {
  const { document } = await exported('entities/export', { entities, content_type: type })
  const { objects = [] } = JSON.parse(document.text) as { objects?: Fields[] }
  return { text: document.text, objects }
}

const stamps = (objects: readonly Fields[]): Record<string, { created: unknown; modified: unknown }> =>
  Object.fromEntries(
    objects
      .filter(({ type }) => type === 'malware' || type === 'campaign' || type === 'relationship')
      .map(({ id, created, modified }) => [id, { created, modified }]),
  )

async function native(): Promise<string[]> {
  const make = async (data: Fields) => (await corvus.call('POST', 'entities', { data: { data } })).body.data
  const malware = await make({ type: 'malware', title: 'Adder' })
  const campaign = await make({ type: 'campaign', title: 'Bite' })
  const data = { source: campaign.id, target: malware.id, key: 'uses' }
  const { status, body } = await corvus.call('POST', 'relationships', { data: { data, sources: malware.sources } })
  assert.equal(status, 201, JSON.stringify(body))
  return [malware.id, campaign.id]
}

async function remove(ids: readonly string[]): Promise<void> {
  assert.equal((await corvus.call('DELETE', 'entities', { data: ids })).status, 204)
}

for (const [name, type] of [
  ['STIX 2.1', STIX],
  ['platform JSON', JSON_3],
] as const) {
  test(`objects that are not native STIX keep created and modified through export and import of ${name}`, async () => {
    const ids = await native()
    const before = stamps((await objectsOf(ids)).objects)
    assert.equal(Object.keys(before).length, 3)
    const { text } = await objectsOf(ids, type)
    await remove(ids)
    const { file, run } = await processed('export.json', text)
    assert.equal(run.state, 'SUCCESS', JSON.stringify([run, await losses(file)]))
    const again = await entitiesOf(file)
    assert.deepEqual(stamps((await objectsOf(again)).objects), before)
    await remove(again)
  })
}

test('modified follows the versions, and created stays', async () => {
  const ids = await native()
  const { text, objects } = await objectsOf(ids)
  const before = stamps(objects)
  await remove(ids)
  const { file } = await processed('export.json', text)
  const [malware] = (await corvus.call('GET', `entities?filter[files]=${file.id}&filter[type]=malware`)).body.data
  await corvus.call('PATCH', `entities/${malware.id}`, { data: { data: { title: 'Asp' } } })
  const after = stamps((await objectsOf([malware.id])).objects)
  for (const [id, { created, modified }] of Object.entries(after)) {
    assert.equal(created, before[id]?.created)
    assert.ok(String(modified) > String(before[id]?.modified))
  }
  // The older version changes nothing.
  const older = await processed('older.json', text)
  const { body } = await corvus.call('GET', `files/${older.file.id}/outcomes?limit=100`)
  const outcomes = body.data.map(({ stix_id, outcome }: Fields) => [stix_id ?? 'relationship', outcome])
  assert.deepEqual(outcomes.find(([id]: string[]) => id === malware.data.id)?.[1], 'outdated')
  assert.equal((await corvus.call('GET', `entities/${malware.id}`)).body.data.data.title, 'Asp')
  await remove(await entitiesOf(file))
})

test('labels that a newer version no longer has are removed, and tags of users stay', async () => {
  const object = (modified: string, labels: string[] | undefined) =>
    JSON.stringify({
      type: 'malware',
      spec_version: '2.1',
      id: `malware--${UUID}`,
      created: '2024-01-01T00:00:00.000Z',
      modified,
      name: 'Adder',
      is_family: false,
      labels,
    })
  const { file } = await processed('a.json', object('2024-01-01T00:00:00.000Z', ['old', 'kept']))
  const [id] = await entitiesOf(file)
  await corvus.call('PATCH', `entities/${id}`, { data: { meta: { tags: ['old', 'kept', 'ours'] } } })
  const tags = async () => (await corvus.call('GET', `entities/${id}`)).body.data.meta.tags.toSorted()
  await processed('b.json', object('2024-01-02T00:00:00.000Z', ['kept', 'new']))
  assert.deepEqual(await tags(), ['kept', 'new', 'ours'])
  await processed('c.json', object('2024-01-03T00:00:00.000Z', undefined))
  assert.deepEqual(await tags(), ['ours'])
  await remove([id ?? ''])
})

const related = (uuid: string, target: string, modified: string) => ({
  type: 'relationship',
  spec_version: '2.1',
  id: `relationship--${uuid}`,
  created: '2024-01-01T00:00:00.000Z',
  modified,
  relationship_type: 'uses',
  source_ref: `campaign--${UUID}`,
  target_ref: target,
})

test('a newer version of a relationship is applied even if another one has its ends', async () => {
  const [one, other] = [`malware--${UUID}`, `tool--${UUID}`]
  const [first, second] = ['5e814485-012d-423d-b769-026bfed0f451', '9f7c2c0e-3d1c-4a8e-8f57-0d3c3c1a2b4d']
  const bundle = (...objects: object[]) => JSON.stringify({ objects, type: 'bundle', id: `bundle--${UUID}` })
  const old = '2024-01-01T00:00:00.000Z'
  await processed('a.json', bundle(related(first, one, old), related(second, other, old)))
  const { file, run } = await processed('b.json', bundle(related(second, one, '2024-01-02T00:00:00.000Z')))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(await losses(file)))
  assert.deepEqual(run.result.relationships, { updated: 1 })
  const { body } = await corvus.call('GET', `relationships/${second}`)
  const target = await corvus.call('GET', new URL(body.data.data.target).pathname)
  assert.equal(target.body.data.data.id, one)
})

test('moving a relationship to ends that another one has is refused without quoting the database', async () => {
  const [malware, campaign] = await native()
  const { body: known } = await corvus.call('GET', `relationships?filter[source]=${campaign}`)
  const [{ sources, data }] = known.data
  const more = { ...data, key: 'related-to' }
  const { body } = await corvus.call('POST', 'relationships', { data: { data: more, sources } })
  const { status, body: refused } = await corvus.call('PATCH', `relationships/${body.data.id}`, {
    data: { data: { key: 'uses' }, sources },
  })
  assert.equal(status, 409)
  assert.equal(refused[0].detail, 'The element already exists: a relationship with these ends and this key.')
  await remove([malware ?? '', campaign ?? ''])
})
