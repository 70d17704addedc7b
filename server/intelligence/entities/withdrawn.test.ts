import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { corvus, exported } from '../../../test/set-up/exporting.ts'

const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, data?: unknown) => {
  const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data })
  assert.ok(status < 300, JSON.stringify(body))
  return body.data
}

const objectOf = async (id: string) => {
  const asked = { entities: [id], content_type: 'urn:oasis:stix:json:2.1' }
  const { objects } = JSON.parse((await exported('entities/export', asked)).document.text)
  return objects.find(({ type }: { type: string }) => type === 'malware')
}

test('an entity whose data says that it is revoked is withdrawn, until it no longer says so', async () => {
  const data = { type: 'malware', title: 'Revoked', id: `malware--${randomUUID()}` }
  const made = await call('POST', 'entities', { data: { ...data, revoked: true } })
  assert.equal(made.meta.is_withdrawn, true)
  assert.equal((await call('GET', `entities/${made.id}`)).meta.is_withdrawn, true)
  const back = await call('PATCH', `entities/${made.id}`, { data: { revoked: false } })
  assert.equal(back.meta.is_withdrawn, false)
  assert.equal((await call('PATCH', `entities/${made.id}`, { data: { revoked: true } })).meta.is_withdrawn, true)
})

test('the mark is read-only, can be filtered on and searched for, and is revoked in STIX', async () => {
  const data = { type: 'malware', title: `Marked ${randomUUID()}`, id: `malware--${randomUUID()}` }
  const { id } = await call('POST', 'entities', { data, meta: { is_withdrawn: true } })
  const isMarked = async () => (await call('GET', `entities/${id}`)).meta.is_withdrawn
  assert.equal(await isMarked(), false, 'nobody sends it')
  assert.equal((await objectOf(id)).revoked, undefined)
  await corvus.pool.query('update entities set is_withdrawn = true, last_updated_at = now() where id = $1', [id])
  assert.equal(await isMarked(), true)
  const idsOf = async (query: string) => (await call('GET', `entities?${query}`)).map((each: { id: string }) => each.id)
  assert.ok((await idsOf('filter[meta.is_withdrawn]=true')).includes(id))
  assert.ok(!(await idsOf('filter[meta.is_withdrawn]=false&limit=1000')).includes(id))
  assert.ok((await idsOf('query=meta.is_withdrawn:true')).includes(id))
  await call('PATCH', `entities/${id}`, { data: { description: 'Edited since.' }, meta: { is_withdrawn: false } })
  assert.equal(await isMarked(), true, 'an edit does not take it away')
  assert.equal((await objectOf(id)).revoked, true)
})
