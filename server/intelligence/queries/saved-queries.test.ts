import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let owner: string
let guest: string

before(async () => {
  corvus = await startApp()
  owner = await corvus.tokenFor(['read entities'])
  guest = await corvus.tokenFor(['read entities'])
})
after(() => corvus.stop())

const names = async (token: string) =>
  (await corvus.call('GET', 'saved-queries?sort=name', undefined, token)).body.data.map(
    ({ name }: { name: string }) => name,
  )

test('users who may read entities can save queries, and see their own and shared ones', async () => {
  const own = { name: 'Mine', query: 'tags:phishing', settings: { sort: '-created_at' } }
  const { status, body } = await corvus.call('POST', 'saved-queries', { data: own }, owner)
  assert.equal(status, 201, JSON.stringify(body))
  const { id, created_at, created_by, last_updated_at, last_updated_by, ...rest } = body.data
  assert.deepEqual(rest, { ...own, description: '', collection: 'entities', is_shared: false })
  assert.equal(created_by, last_updated_by)
  assert.equal((await corvus.call('GET', `saved-queries/${id}`, undefined, guest)).status, 404)
  await corvus.call('POST', 'saved-queries', { data: { name: 'Ours', is_shared: true } }, owner)
  assert.deepEqual(await names(owner), ['Mine', 'Ours'])
  assert.deepEqual(await names(guest), ['Ours'])
})

test('names of saved queries are unique per owner', async () => {
  const data = { name: 'Same' }
  assert.equal((await corvus.call('POST', 'saved-queries', { data }, owner)).status, 201)
  assert.equal((await corvus.call('POST', 'saved-queries', { data }, guest)).status, 201)
  assert.equal((await corvus.call('POST', 'saved-queries', { data }, owner)).status, 409)
})

test('only the owner can change or delete a query, even if it is shared', async () => {
  const data = { name: 'For all', is_shared: true }
  const { id } = (await corvus.call('POST', 'saved-queries', { data }, owner)).body.data
  const path = `saved-queries/${id}`
  for (const [method, to, sent] of [
    ['PATCH', path, { query: 'x' }],
    ['DELETE', path, undefined],
    ['DELETE', 'saved-queries', [id]],
  ] as const) {
    const { status, body } = await corvus.call(method, to, sent, guest)
    assert.equal(status, 403)
    assert.equal(body[0].detail, "Only its owner may change or delete the saved query 'For all'.")
  }
  assert.equal((await corvus.call('PATCH', path, { is_shared: false }, owner)).status, 200)
  assert.equal((await corvus.call('PATCH', path, { query: 'x' }, guest)).status, 404)
  assert.equal((await corvus.call('DELETE', path, undefined, owner)).status, 204)
})
