import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Widget } from '../api/resources.ts'
import { formOf, NEW_WIDGET, widgetOf } from './widget-form-values.ts'

test('a chart over time has an interval and no gaps; other charts have neither', () => {
  const overTime = widgetOf({ ...NEW_WIDGET, type: 'line', group_by: 'created_at', interval: 'month' })
  assert.deepEqual(overTime.aggregation, {
    group_by: 'created_at',
    split_by: null,
    limit: 10,
    interval: 'month',
    fill: true,
  })
  const byType = widgetOf({ ...NEW_WIDGET, type: 'pie', interval: 'month' })
  assert.deepEqual(byType.aggregation, { group_by: 'type', split_by: null, limit: 10, include_other: true })
})

test('a number has no grouping, and a list has a sort order', () => {
  assert.equal(widgetOf({ ...NEW_WIDGET, type: 'number', query: '  ' }).query, null)
  assert.equal(widgetOf({ ...NEW_WIDGET, type: 'number' }).aggregation, null)
  assert.deepEqual(widgetOf({ ...NEW_WIDGET, type: 'list', limit: '500' }, { colour: 'red' }).settings, {
    colour: 'red',
    limit: 100,
    sort: '-created_at',
  })
})

test('a stored widget can be edited again', () => {
  const form = { ...NEW_WIDGET, name: 'A', type: 'line' as const, query: 'x', group_by: 'created_at', interval: 'week' }
  assert.deepEqual(formOf({ id: 1, ...widgetOf(form) } as Widget), form)
})
