import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counted, chartInWords, chartOption, rowsOf } from './chart-option.ts'

const INK = { text: '#000', line: '#ccc', ground: '#fff' }

const counted = (values: [string, number][], names: Record<string, string> = {}): Counted => ({
  aggregations: [{ key: 'type', values }],
  group_by_value_mappings: { _single: names },
  split_by_value_mapping: null,
  total_count: 9,
})

test('values are shown with their display names, in the order of the response', () => {
  const { rows, series } = rowsOf(
    counted(
      [
        ['b', 3],
        ['a', 1],
      ],
      { a: 'Alpha' },
    ),
  )
  assert.deepEqual(series, ['Entities'])
  assert.deepEqual(rows, [
    { label: 'b', counts: [3] },
    { label: 'Alpha', counts: [1] },
  ])
})

test('series share their values, and missing counts are zero', () => {
  const { rows, series } = rowsOf({
    aggregations: [
      { key: 'RED', values: [['2024-02-01T00:00:00+00:00', 2]] },
      { key: '_other', values: [['2024-01-01T00:00:00+00:00', 1]] },
    ],
    group_by_value_mappings: {},
    split_by_value_mapping: { RED: 'RED', _other: 'Other' },
    total_count: 3,
  })
  assert.deepEqual(series, ['RED', 'Other'])
  assert.deepEqual(rows, [
    { label: '2024-01-01', counts: [0, 1] },
    { label: '2024-02-01', counts: [2, 0] },
  ])
})

test('values of observables are defanged', () => {
  const { rows } = rowsOf(counted([['http://evil.example/a', 1]]), 'extracts.value')
  assert.equal(rows[0]?.label, 'hxxp://evil[.]example/a')
})

test('tooltips are drawn on the canvas and never rendered as HTML', () => {
  for (const type of ['bar', 'line', 'pie']) {
    const option = chartOption(type, counted([['<img src=x>', 1]]), INK) as { tooltip: { renderMode: string } }
    assert.equal(option.tooltip.renderMode, 'richText')
  }
})

test('a chart has a text alternative', () => {
  assert.equal(
    chartInWords(
      'bar',
      counted([
        ['a', 2],
        ['b', 1],
      ]),
    ),
    'Bar chart of 2 values. a 2, b 1.',
  )
})
