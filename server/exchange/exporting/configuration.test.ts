import assert from 'node:assert/strict'
import { test } from 'node:test'
import { all, between, corvus, hidden, type Item, make, own, put, report } from '../../../test/set-up/shipping.ts'

test('nothing that the caller cannot see is exported or revealed by visible objects', async () => {
  const value = { type: 'domain', value: 'egret.example' }
  const [seen, unseen] = await put('entities', [
    report('egret seen', { observables: [value] }),
    report('egret unseen', { observables: [value, { type: 'domain', value: 'unseen.example' }] }),
  ])
  await put('relationships', [between(seen, 'related-to', unseen), between(unseen, 'related-to', seen)])
  await put('entities', [{ data: unseen.data, sources: [hidden] }])
  const { entities, relationships } = await all('egret', { related_entities: true })
  assert.deepEqual(
    entities.map(({ data }) => data.title),
    ['egret seen'],
  )
  assert.deepEqual(relationships, [])
  const [observable] = entities[0]?.observables ?? []
  assert.deepEqual(
    observable?.sources.map(({ name }) => name),
    ['Default'],
  )
})

test('a TLP ceiling leaves out everything above it, and the sources known only from there', async () => {
  const group = await corvus.blindGroup('Feed')
  await corvus.pool.query(
    `insert into group_sources (source, target, allowed_tlp)
     select (select id from groups where name = 'Default'), $1::uuid, 'RED' on conflict do nothing`,
    [group.source.split('/').at(-1)],
  )
  const value = { type: 'domain', value: 'ibis.example' }
  const colour = (tlp_color: string | null, sources = [own]) => ({ meta: { tlp_color }, observables: [value], sources })
  const [none, green, amber, red] = await put('entities', [
    report('ibis none', colour(null)),
    report('ibis green', colour('GREEN')),
    report('ibis amber', colour('AMBER')),
    report('ibis red', colour('RED', [group.source])),
  ])
  await put('relationships', [
    between(none, 'related-to', green, { meta: { tlp_color: 'RED' } }),
    between(green, 'related-to', none, { meta: { tlp_color: 'WHITE' } }),
    between(green, 'related-to', amber),
    between(red, 'related-to', none),
  ])
  const titles = async (tlp_color_filter: string | null) => {
    const { entities, relationships } = await all('ibis', { tlp_color_filter })
    const sources = new Set(entities.flatMap(({ observables }) => observables.flatMap(({ sources }) => sources)))
    return [
      entities.map(({ data }) => data.title.slice(5)),
      relationships.length,
      [...new Set([...sources].map(({ name }) => name))].sort(),
    ]
  }
  assert.deepEqual(await titles(null), [['none', 'green', 'amber', 'red'], 4, ['Default', 'Feed']])
  assert.deepEqual(await titles('AMBER'), [['none', 'green', 'amber'], 2, ['Default']])
  assert.deepEqual(await titles('AMBER_STRICT'), await titles('AMBER'))
  assert.deepEqual(await titles('GREEN'), [['none', 'green'], 1, ['Default']])
  assert.deepEqual(await titles('CLEAR'), [['none'], 0, ['Default']])
})

test('a verdict on an observable is exported only if its entity may be exported', async () => {
  const value = { type: 'domain', value: 'heron.example' }
  await put('entities', [
    report('heron green', { meta: { tlp_color: 'GREEN' }, observables: [value] }),
    report('heron red', { meta: { tlp_color: 'RED' }, observables: [{ ...value, maliciousness: 'high' }] }),
  ])
  const verdict = async (tlp_color_filter: string | null) => {
    const { entities } = await all('heron', { tlp_color_filter })
    const green = entities.find(({ data }) => data.title === 'heron green')
    return green?.observables.map(({ meta }) => meta.maliciousness)
  }
  assert.deepEqual(await verdict(null), ['high'])
  assert.deepEqual(await verdict('GREEN'), ['unknown'])
})

test('the configuration selects relationships, observables, attachments and related entities', async () => {
  const attachment = await make('entities/attachments', { data: 'c3Rvcms=', filename: 'stork.txt' })
  const [a, b, c] = await put('entities', [
    report('stork', {
      attachments: [attachment.id],
      observables: [
        { type: 'domain', value: 'stork.example', maliciousness: 'high' },
        { type: 'ipv4', value: '192.0.2.7', maliciousness: 'low' },
        { type: 'email', value: 'a@stork.example' },
      ],
    }),
    report('near'),
    report('far'),
  ])
  await put('relationships', [between(a, 'uses', b), between(c, 'related-to', a)])
  const values = async (observables: Item) =>
    (await all('stork', { observables })).entities[0]?.observables.map(({ value }) => value)
  assert.deepEqual(await values({ types: ['ipv4', 'email'] }), ['192.0.2.7', 'a@stork.example'])
  assert.deepEqual(await values({ maliciousness: 'low' }), ['192.0.2.7', 'stork.example'])
  assert.deepEqual(await values({ include: false }), [])
  const bare = await all('stork', { attachments: { include: false }, relationships: 'none' })
  assert.deepEqual([bare.entities[0]?.attachments, bare.relationships], [[], []])
  const shape = async (configuration: Item) => {
    const { entities, relationships } = await all('stork', configuration)
    return [entities.map(({ data }) => data.title), relationships.map(({ data }) => data.key)]
  }
  assert.deepEqual(await shape({}), [['stork'], []])
  assert.deepEqual(await shape({ related_entities: true }), [
    ['stork', 'near', 'far'],
    ['uses', 'related-to'],
  ])
  assert.deepEqual(await shape({ related_entities: true, relationships: ['uses'] }), [['stork', 'near'], ['uses']])
})
