import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aggregate, malware, put, type Values } from '../../../test/set-up/aggregations.ts'

test("times are grouped by intervals in the caller's time zone", async () => {
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

test('times outside four-digit years are skipped', async () => {
  const times = ['9999-12-31T23:30:00-05:00', '0001-01-01T00:30:00+05:00', '2024-01-01', 'not a time', '2024-13-01']
  await put(times.map((timestamp) => malware('far', { when: timestamp })))
  const asked = { query: 'tags:far', group_by: 'data.when', interval: 'year', fill: true }
  assert.deepEqual((await aggregate(asked)).aggregations[0]?.values, [['2024-01-01T00:00:00+00:00', 1]])
})
