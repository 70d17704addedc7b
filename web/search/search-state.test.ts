import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, chosenColumns, knownSort, nextSort } from './columns.ts'
import { isSameSearch, readState, savedState, settingsOf, writeState } from './search-state.ts'

test('the page state survives a round trip through the address', () => {
  const address = {
    q: 'tags:a OR b',
    in: 'observables',
    f: ['type:domain', '-meta.maliciousness:safe, really'],
    sort: 'value',
    columns: 'value,sources',
    consolidation: 'all',
    look: '7',
  }
  assert.deepEqual(writeState(readState(address)), address)
  assert.deepEqual(writeState(readState({})), {})
})

test('a defanged indicator in the address is refanged', () => {
  assert.equal(readState({ q: 'hugesoft[.]org' }).query, 'hugesoft.org')
})

test('numbers and booleans that the router parses are read as text', () => {
  assert.equal(readState({ q: 192 }).query, '192')
  assert.equal(readState({ q: true }).query, 'true')
  assert.equal(readState({ q: { a: 1 } }).query, '{"a":1}')
  assert.deepEqual(readState({ f: 'type:tool', in: 7, columns: 'nothing' }).filters.length, 1)
})

test('a saved query restores the state it was saved from', () => {
  const state = readState({ q: 'a', f: ['type:tool', 'tags:x, y'], sort: 'meta.title', columns: 'title,tags' })
  const saved = { query: 'a', collection: 'entities', settings: settingsOf(state) }
  assert.deepEqual(savedState(JSON.parse(JSON.stringify(saved))), state)
  assert.ok(isSameSearch(state, { ...state, look: 'x' }))
  assert.ok(!isSameSearch(state, { ...state, sort: '' }))
  assert.deepEqual(savedState({ query: '', collection: 'x', settings: { filters: 'x', columns: 7 } }), readState({}))
})

test('what is shown of unified entities is kept in the address and in saved queries', () => {
  assert.equal(readState({ consolidation: 'contributors' }).consolidation, 'contributors')
  assert.equal(readState({ consolidation: 'nothing' }).consolidation, undefined)
  const state = readState({ q: 'a', consolidation: 'all' })
  const saved = { query: 'a', collection: 'entities', settings: settingsOf(state) }
  assert.deepEqual(savedState(saved), state)
  assert.ok(!isSameSearch(state, readState({ q: 'a' })))
})

test('unknown columns are ignored, and the first one is always included', () => {
  assert.deepEqual(chosenColumns('entities', ['tags', 'nothing', 'type']), ['title', 'type', 'tags'])
  assert.equal(attributesOf('observables', ['value', 'type']), 'id,value,type')
})

test('a column header sorts ascending, then descending, then in the default order', () => {
  assert.equal(nextSort('-last_updated_at', 'type'), 'type')
  assert.equal(nextSort('type', 'type'), '-type')
  assert.equal(nextSort('-type', 'type'), '')
  assert.equal(nextSort('-last_updated_at', 'last_updated_at'), 'last_updated_at')
})

test('an unknown sort order, or relevance without a query, falls back to the default', () => {
  const nothing = { query: '', hasWords: false, total: undefined }
  const fields = { query: 'type:report', hasWords: false, total: 9 }
  const words = { query: 'apt1', hasWords: true, total: 9 }
  assert.equal(knownSort('entities', '-meta.title', nothing), '-meta.title')
  assert.equal(knownSort('entities', '-_score', fields), '-_score')
  assert.equal(knownSort('entities', '-_score', nothing), '-last_updated_at')
  assert.equal(knownSort('observables', 'meta.title', words), '-last_updated_at')
})

test('a query with words sorts by relevance unless another order is chosen', () => {
  const words = { query: 'apt1', hasWords: true, total: 9 }
  assert.equal(knownSort('entities', '', words), '-_score')
  assert.equal(knownSort('entities', '-last_updated_at', words), '-last_updated_at')
  assert.equal(knownSort('entities', '', { ...words, total: undefined }), undefined)
  assert.equal(knownSort('entities', '', { ...words, total: 10_001 }), '-last_updated_at')
  assert.equal(knownSort('entities', '', { ...words, hasWords: false }), '-last_updated_at')
})
