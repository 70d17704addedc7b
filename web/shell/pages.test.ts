import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGES, pageAt } from './pages.ts'

test('a path belongs to the closest page above it', () => {
  assert.equal(pageAt('/'), '/')
  assert.equal(pageAt('/attack'), '/attack')
  assert.equal(pageAt('/attack/gaps'), '/attack')
  assert.equal(pageAt('/attack/analyses/3'), '/attack')
  assert.equal(pageAt('/datasets/3'), '/datasets')
  assert.equal(pageAt('/profile'), undefined)
})

test('no two pages have the same shortcut', () => {
  const keys = PAGES.flatMap(({ pages }) => pages).flatMap((page) => page.keys ?? [])
  assert.equal(new Set(keys).size, keys.length)
})
