import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnricherTable } from '../../api/resources.ts'
import { bodyOf, formOf, NEW_TABLE } from './table-form-values.ts'

const fields = {
  name: 'asn',
  description: 'Networks',
  format: 'csv' as const,
  key_column: 'start',
  end_column: 'end',
  columns: ['start', 'end', 'as'],
  url: 'https://tables.example/asn.csv',
  execution_schedule: { cron: null, interval: 86_400, time_zone: 'Europe/Amsterdam' },
}

test('a stored table is sent back as it was', () => {
  assert.deepEqual(bodyOf(formOf(fields as unknown as EnricherTable)), fields)
})

test('formats without columns send none, and uploads have no schedule', () => {
  const form = { ...NEW_TABLE, name: ' tor ', format: 'list', keyColumn: 'ip', columns: ['ip'], schedule: '3600' }
  const { name, key_column, columns, url, execution_schedule } = bodyOf(form)
  assert.deepEqual([name, key_column, columns, url, execution_schedule], ['tor', '', [], null, null])
})
