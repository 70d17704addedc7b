import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Collection, collections, spellings } from '../collections.ts'
import { routes } from '../registry.ts'
import { addressesOf } from './addresses.ts'

const addresses = addressesOf(routes)

test('every path is found in every spelling of its collection', () => {
  const own = Object.entries(collections).sort(([, a], [, b]) => b.path.length - a.path.length)
  let spelled = 0
  for (const { url } of addresses.places) {
    const asked = url.replaceAll(/:\w+/g, '7')
    const [collection, { path }] = own.find(([, { path }]) =>
      /^\/(api\/v2|private)\/(.*)/.exec(`${url}/`)?.[2]?.startsWith(`${path}/`),
    ) ?? ['', { path: '' }]
    for (const name of [path, ...spellings(collection as Collection)]) {
      const sent = asked.replace(`/${path}`, `/${name}`)
      for (const end of ['', '/', '?a=b'])
        assert.equal(addresses.find(addresses.settle(sent + end))?.url, url, sent + end)
      if (name !== path) spelled++
    }
  }
  assert.ok(spelled > 50, `${spelled} other spellings`)
})

test('paths that are not collections are left unchanged', () => {
  for (const url of [
    '/',
    '/api/v2/saved_queriesx',
    '/saved_queries',
    '/api/v2/x/saved_queries',
    '/api/v2?saved_queries',
  ]) {
    assert.equal(addresses.settle(url), url)
    assert.equal(addresses.find(url), undefined)
  }
  assert.equal(addresses.settle('/api/v2/entity_attachments?a'), '/api/v2/entities/attachments?a')
  assert.equal(addresses.settle('/api/v2/entity%2Dattachments'), '/api/v2/entities/attachments')
  assert.equal(addresses.settle('/api/v2/saved%5fqueries/1'), '/api/v2/saved-queries/1')
})

test('methods of a more general path are known, and no others', () => {
  const place = (url: string) => addresses.places.find((each) => each.url === url)
  assert.deepEqual(place('/api/v2/tickets/:id')?.shadowed, [])
  assert.ok(place('/api/v2/tasks/runs')?.shadowed.includes('PATCH'))
  for (const { methods, shadowed } of addresses.places) {
    assert.ok(shadowed.every((method) => !methods.includes(method)))
  }
})
