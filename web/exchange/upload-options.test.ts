import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, NO_OPTIONS } from './upload-options.ts'

test('options that are not set are not sent', () => {
  assert.deepEqual(fieldsOf(NO_OPTIONS), {})
})

test('lists are sent as JSON, so that no tag is mistaken for a list', () => {
  const fields = fieldsOf({ ...NO_OPTIONS, process: false, tags: ['[x', 'y'], workspaces: ['1'], tlp_color: 'RED' })
  assert.deepEqual(fields, { process: 'false', tags: '["[x","y"]', workspaces: '[1]', tlp_color: 'RED' })
})
