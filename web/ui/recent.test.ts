import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembered } from './recent.ts'

const page = (path: string) => ({ path, title: `About ${path}` })

test('the latest page comes first, without duplicates, and the oldest is dropped', () => {
  let pages = remembered([], page('/entities/1'))
  pages = remembered(pages, page('/tickets/2'))
  pages = remembered(pages, page('/entities/1'))
  assert.deepEqual(
    pages.map(({ path }) => path),
    ['/entities/1', '/tickets/2'],
  )
  for (let i = 0; i < 20; i++) pages = remembered(pages, page(`/observables/${i}`))
  assert.equal(pages.length, 8)
  assert.equal(pages[0]?.path, '/observables/19')
})

test('navigation pages and forms are not remembered', () => {
  for (const path of ['/', '/datasets', '/entities/new', '/entities/1/edit', '/admin/users'])
    assert.deepEqual(remembered([], page(path)), [], path)
})
