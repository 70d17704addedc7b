import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { chanceOf } from '../../../test/visibility/chance.ts'

type Values = [string, number][]
interface Aggregated {
  readonly aggregations: { readonly key: string; readonly values: Values }[]
  readonly group_by_value_mappings: Record<string, Record<string, string>>
  readonly split_by_value_mapping: Record<string, string> | null
  readonly total_count: number
}

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
before(async () => {
  corvus = await startApp((statement) => {
    if (/\b(tokens|sessions)\b/.test(statement)) return
    statements++
  })
})
after(() => corvus.stop())

async function put(items: readonly object[]): Promise<void> {
  const { status, body } = await corvus.call('PUT', 'entities', { data: items })
  assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
}

async function aggregate(data: object, token?: string): Promise<Aggregated> {
  const { status, body } = await corvus.call('POST', 'aggregations/entities', { data }, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const malware = (tag: string, data: object, more: object = {}) => ({
  data: { type: 'malware', title: tag, ...data },
  meta: { tags: [tag], ...more },
})

test('entities are counted by a field, and what is left out is told when asked for', async () => {
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

test('numbers stand in their own order', async () => {
  await put([10, 9, 100, 9].map((half_life) => malware('numbers', {}, { half_life })))
  const { aggregations } = await aggregate({ query: 'tags:numbers', group_by: 'meta.half_life', order: 'value' })
  assert.deepEqual(aggregations[0]?.values, [
    ['9', 2],
    ['10', 1],
    ['100', 1],
  ])
})

test('a split makes a series of each of its values, over the same groups', async () => {
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

test('of many values to split by, those beyond the first twenty are together', async () => {
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

test('ids of taxonomies and sources are mapped to what people call them', async () => {
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

test('times are put together by intervals that begin where the caller lives', async () => {
  const times = ['2023-12-31T23:30:00Z', '2024-01-01T00:30:00Z', '2024-01-07T22:30:00Z', '2024-02-29T12:15:00Z']
  await put(times.map((time) => malware('timed', { timestamp: time }, { estimated_observed_time: time })))
  const cases: [string, string, Values][] = [
    [
      'year',
      '+00:00',
      [
        ['2023-01-01T00:00:00+00:00', 1],
        ['2024-01-01T00:00:00+00:00', 3],
      ],
    ],
    ['year', '+01:00', [['2024-01-01T00:00:00+01:00', 4]]],
    [
      'quarter',
      '-08:00',
      [
        ['2023-10-01T00:00:00-08:00', 2],
        ['2024-01-01T00:00:00-08:00', 2],
      ],
    ],
    [
      'month',
      '+01:00',
      [
        ['2024-01-01T00:00:00+01:00', 3],
        ['2024-02-01T00:00:00+01:00', 1],
      ],
    ],
    [
      'week',
      'Z',
      [
        ['2023-12-25T00:00:00+00:00', 1],
        ['2024-01-01T00:00:00+00:00', 2],
        ['2024-02-26T00:00:00+00:00', 1],
      ],
    ],
    [
      'week',
      '+05:30',
      [
        ['2024-01-01T00:00:00+05:30', 2],
        ['2024-01-08T00:00:00+05:30', 1],
        ['2024-02-26T00:00:00+05:30', 1],
      ],
    ],
    [
      'hour',
      '+05:30',
      [
        ['2024-01-01T05:00:00+05:30', 1],
        ['2024-01-01T06:00:00+05:30', 1],
        ['2024-01-08T04:00:00+05:30', 1],
        ['2024-02-29T17:00:00+05:30', 1],
      ],
    ],
  ]
  for (const [interval, time_zone, values] of cases) {
    for (const group_by of ['meta.estimated_observed_time', 'data.timestamp']) {
      const { aggregations } = await aggregate({ query: 'tags:timed', group_by, interval, time_zone })
      assert.deepEqual(aggregations, [{ key: group_by, values }], `${group_by} by ${interval} at ${time_zone}`)
    }
  }
  const latest = await aggregate({
    query: 'tags:timed',
    group_by: 'meta.estimated_observed_time',
    limit: 2,
    include_other: true,
  })
  assert.deepEqual(latest.aggregations[0]?.values, [
    ['2024-01-07T00:00:00+00:00', 1],
    ['2024-02-29T00:00:00+00:00', 1],
    ['_other', 2],
  ])
})

test('empty intervals are filled in all series, up to the limit', async () => {
  const times: [string, string][] = [
    ['2024-01-15', 'low'],
    ['2024-04-02', 'high'],
    ['2024-04-30', 'low'],
  ]
  await put(times.map(([time, confidence]) => malware('filled', { confidence }, { estimated_observed_time: time })))
  const asked = { query: 'tags:filled', group_by: 'meta.estimated_observed_time', interval: 'month', fill: true }
  const month = (n: number) => `2024-0${n}-01T00:00:00+00:00`
  assert.deepEqual((await aggregate(asked)).aggregations[0]?.values, [
    [month(1), 1],
    [month(2), 0],
    [month(3), 0],
    [month(4), 2],
  ])
  assert.deepEqual((await aggregate({ ...asked, split_by: 'data.confidence' })).aggregations, [
    {
      key: 'low',
      values: [
        [month(1), 1],
        [month(2), 0],
        [month(3), 0],
        [month(4), 1],
      ],
    },
    {
      key: 'high',
      values: [
        [month(1), 0],
        [month(2), 0],
        [month(3), 0],
        [month(4), 1],
      ],
    },
  ])
  const few = await aggregate({ ...asked, limit: 2, include_other: true })
  assert.deepEqual(few.aggregations[0]?.values, [
    [month(3), 0],
    [month(4), 2],
    ['_other', 1],
  ])
  const hours = await aggregate({ ...asked, interval: 'hour', limit: 1000 })
  assert.equal(hours.aggregations[0]?.values.length, 1000)
  assert.equal(hours.aggregations[0]?.values.at(-1)?.[0], '2024-04-30T00:00:00+00:00')
  assert.deepEqual((await aggregate({ ...asked, query: 'tags:nobody' })).aggregations[0]?.values, [])
})

test('times that are no years of four digits are left out', async () => {
  const times = ['9999-12-31T23:30:00-05:00', '0001-01-01T00:30:00+05:00', '2024-01-01', 'not a time', '2024-13-01']
  await put(times.map((timestamp) => malware('far', { when: timestamp })))
  const asked = { query: 'tags:far', group_by: 'data.when', interval: 'year', fill: true }
  assert.deepEqual((await aggregate(asked)).aggregations[0]?.values, [['2024-01-01T00:00:00+00:00', 1]])
})

test('what one may not see is not counted', async () => {
  const { source } = (await corvus.call('POST', 'groups', { data: { name: 'Hidden here' } })).body.data
  await put([malware('half seen', {}), { ...malware('half seen', { title: 'other' }), sources: [source] }])
  const token = await corvus.tokenFor(['read entities'])
  const asked = { query: 'tags:"half seen"', group_by: 'data.title', split_by: 'sources.name', include_other: true }
  const { aggregations, total_count } = await aggregate(asked, token)
  assert.deepEqual([aggregations, total_count], [[{ key: 'Default', values: [['half seen', 1]] }], 1])
})

test('every bad field is named', async () => {
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
  const count = async (query: string) => {
    statements = 0
    await aggregate({ ...asked, query })
    return statements
  }
  assert.equal(await count('tags:nobody'), await count('*'))
})
