import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, NO_OPTIONS } from './upload-options.ts'

test('what is not chosen is not sent', () => {
  assert.deepEqual(fieldsOf(NO_OPTIONS), {})
})

test('lists go as JSON, so that no tag is taken for a list', () => {
  const fields = fieldsOf({ ...NO_OPTIONS, process: false, tags: ['[x', 'y'], workspaces: ['1'], tlp_color: 'RED' })
  assert.deepEqual(fields, { process: 'false', tags: '["[x","y"]', workspaces: '[1]', tlp_color: 'RED' })
})
