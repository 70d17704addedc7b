import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aggregate, corvus, malware, put } from '../../../test/set-up/aggregations.ts'
import { chanceOf } from '../../../test/visibility/chance.ts'

test('entities are counted by a field, and the rest is returned on request', async () => {
  await put(
    ['high', 'high', 'low', 'high', 'low', 'medium', undefined].map((confidence) =>
      malware('simple', confidence === undefined ? {} : { confidence }),
    ),
  )
  const asked = { query: 'tags:simple', group_by: 'data.confidence' }
  assert.deepEqual(await aggregate(asked), {
    aggregations: [
      {
        key: 'data.confidence',
        values: [
          ['high', 3],
          ['low', 2],
          ['medium', 1],
        ],
      },
    ],
    group_by_value_mappings: { _single: { high: 'high', low: 'low', medium: 'medium' } },
    split_by_value_mapping: null,
    total_count: 7,
  })
  const cut = await aggregate({ ...asked, limit: 1, include_other: true })
  assert.deepEqual(cut.aggregations[0]?.values, [
    ['high', 3],
    ['_other', 3],
  ])
  assert.deepEqual(cut.group_by_value_mappings, { _single: { high: 'high', _other: 'Other' } })
  assert.deepEqual((await aggregate({ ...asked, limit: 2, order: 'value' })).aggregations[0]?.values, [
    ['high', 3],
    ['low', 2],
  ])
  assert.deepEqual(await aggregate({ query: 'tags:nobody', group_by: 'type' }), {
    aggregations: [{ key: 'type', values: [] }],
    group_by_value_mappings: { _single: {} },
    split_by_value_mapping: null,
    total_count: 0,
  })
  assert.deepEqual((await aggregate({ ...asked, group_by: 'no.such.field' })).total_count, 7)
})

test('numbers are sorted numerically', async () => {
  await put([10, 9, 100, 9].map((half_life) => malware('numbers', {}, { half_life })))
  const { aggregations } = await aggregate({ query: 'tags:numbers', group_by: 'meta.half_life', order: 'value' })
  assert.deepEqual(aggregations[0]?.values, [
    ['9', 2],
    ['10', 1],
    ['100', 1],
  ])
})

test('a split creates a series per value, over the same groups', async () => {
  const chance = chanceOf(3)
  const made = Array.from({ length: 120 }, () => ({
    colour: chance.pick(['WHITE', 'GREEN', 'RED']),
    aliases: chance.some(['a', 'b', 'c', 'd'], 0.5),
  }))
  await put(
    made.map(({ colour, aliases }) => malware('split', { aliases: [...aliases, ...aliases] }, { tlp_color: colour })),
  )
  const { aggregations, ...rest } = await aggregate({
    query: 'tags:split',
    group_by: 'data.aliases',
    split_by: 'meta.tlp_color',
    limit: 2,
    include_other: true,
  })
  const all = made.flatMap(({ colour, aliases }) => aliases.map((alias) => ({ colour, alias })))
  const ranked = (list: readonly string[]) =>
    [...Map.groupBy(list, (value) => value)]
      .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
      .map(([value]) => value)
  const groups = ranked(all.map(({ alias }) => alias)).slice(0, 2)
  const splits = ranked(all.map(({ colour }) => colour))
  const count = (isMeant: (pair: { colour: string; alias: string }) => boolean) => all.filter(isMeant).length
  assert.deepEqual(
    aggregations,
    splits.map((split) => ({
      key: split,
      values: [
        ...groups.map((group) => [group, count(({ colour, alias }) => colour === split && alias === group)]),
        ['_other', count(({ colour, alias }) => colour === split && !groups.includes(alias))],
      ],
    })),
  )
  assert.equal(rest.total_count, 120)
  assert.deepEqual(rest.split_by_value_mapping, Object.fromEntries(splits.map((split) => [split, split])))
  assert.deepEqual(Object.keys(rest.group_by_value_mappings), splits)
})

test('split values beyond the first twenty are combined', async () => {
  await put(
    Array.from({ length: 25 }, (_, i) =>
      malware('wide', { confidence: 'low', batch: `b${String(i).padStart(2, '0')}` }),
    ),
  )
  const asked = { query: 'tags:wide', group_by: 'data.confidence', split_by: 'data.batch' }
  assert.equal((await aggregate(asked)).aggregations.length, 20)
  const { aggregations, split_by_value_mapping } = await aggregate({ ...asked, include_other: true })
  assert.deepEqual(aggregations.at(-1), { key: '_other', values: [['low', 5]] })
  assert.equal(split_by_value_mapping?._other, 'Other')
})

test('ids of taxonomies and sources are mapped to their names', async () => {
  const nodes = (await corvus.call('POST', 'taxonomies', { data: { path: 'Mapped/Here' } })).body.data
  const { id } = nodes.at(-1)
  await put([malware('mapped', {}, { taxonomies: [id] })])
  const byTaxonomy = await aggregate({ query: 'tags:mapped', group_by: 'meta.taxonomies' })
  assert.deepEqual(byTaxonomy.aggregations, [{ key: 'meta.taxonomies', values: [[String(id), 1]] }])
  assert.deepEqual(byTaxonomy.group_by_value_mappings, { _single: { [id]: 'Mapped/Here' } })
  const bySource = await aggregate({ query: 'tags:mapped', group_by: 'type', split_by: 'sources' })
  assert.deepEqual(Object.values(bySource.split_by_value_mapping ?? {}), ['Default'])
  assert.deepEqual(Object.keys(bySource.split_by_value_mapping ?? {}), [bySource.aggregations[0]?.key])
})

test('invisible entities are not counted', async () => {
  const { source } = await corvus.blindGroup('Hidden here')
  await put([malware('half seen', {}), { ...malware('half seen', { title: 'other' }), sources: [source] }])
  const token = await corvus.tokenFor(['read entities'])
  const asked = { query: 'tags:"half seen"', group_by: 'data.title', split_by: 'sources.name', include_other: true }
  const { aggregations, total_count } = await aggregate(asked, token)
  assert.deepEqual([aggregations, total_count], [[{ key: 'Default', values: [['half seen', 1]] }], 1])
})

test('every invalid field is reported', async () => {
  const refused = async (data: unknown) => {
    const { status, body } = await corvus.call('POST', 'aggregations/entities', { data })
    assert.equal(status, 400, JSON.stringify(body))
    return body.map(({ detail }: { detail: string }) => detail.split(':')[0])
  }
  assert.deepEqual(await refused({}), ['data.group_by'])
  assert.deepEqual(
    await refused({
      group_by: 'created_at',
      interval: 'minute',
      time_zone: 'CET',
      limit: 1001,
      order: 'x',
      metric: 'sum',
    }),
    ['data.interval', 'data.time_zone', 'data.metric', 'data.limit', 'data.order'],
  )
  assert.deepEqual(await refused({ group_by: 'type', interval: 'day' }), ['data.interval'])
  assert.deepEqual(await refused({ group_by: 'type', fill: true }), ['data.fill'])
  assert.deepEqual(await refused({ group_by: 'created_at', fill: true, order: 'count' }), ['data.fill'])
  assert.deepEqual(await refused({ group_by: 'type', query: 'a AND (' }), ['query'])
  const token = await corvus.tokenFor(['read entities'])
  const { status } = await corvus.call(
    'POST',
    'aggregations/entities',
    { data: { group_by: 'type', split_by: 'extracts.kind' } },
    token,
  )
  assert.equal(status, 403)
})

test('the number of statements does not depend on the data', async () => {
  const asked = { group_by: 'tags', split_by: 'meta.taxonomies', limit: 1000 }
  const count = (query: string) => corvus.statementsOf(() => aggregate({ ...asked, query }))
  assert.equal(await count('tags:nobody'), await count('*'))
})
