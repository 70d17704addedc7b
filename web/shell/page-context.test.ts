import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageContext } from './page-context.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

test('the page of an entity, its parts, and its preview are about that entity', () => {
  for (const path of [`/entities/${ID}`, `/entities/${ID}/edit`])
    assert.deepEqual(pageContext(path, { tab: 'history' }), { entity: ID })
  assert.deepEqual(pageContext('/', { q: 'heron', look: ID }), { entity: ID })
})

test('a search is the query with its filters; other pages, observables and everything are no context', () => {
  assert.deepEqual(pageContext('/', { q: 'heron', f: ['type:malware'] }), { search: '+(heron) +type:"malware"' })
  assert.deepEqual(pageContext('/', { q: 'heron', in: 'observables' }), {})
  for (const path of ['/', '/entities/new', '/datasets']) assert.deepEqual(pageContext(path, {}), {})
})
