import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { BASE, startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const url = (id: string) => `${BASE}/api/v2/attacks/${id}`
const report = (title: string, attacks: readonly string[]) => ({ data: { type: 'report', title }, meta: { attacks } })
const details = (body: readonly { detail: string }[]) => body.map(({ detail }) => detail)

/** An entity that has a node which is unknown by now. */
async function makeOutdated(title: string) {
  const { body } = await corvus.call('POST', 'entities', report(title, ['TA0001:T1566']))
  await sql`update entities set attacks = '{TA0001:T1566,TA0001:T9999}',
    search = search || array_to_tsvector(array[${'k\u001fta0001:t9999'}]) where id = ${body.data.id}`.execute(corvus.db)
  return (await corvus.call('GET', `entities/${body.data.id}`)).body.data
}

test('an unknown node is refused with its position, and all of them are named', async () => {
  const wrong = ['TA0001:T1566', 'TA0001:T9999', 'TA0001', url('TA9999'), 'a b', 'T1566', 'T1078', 'T1086']
  const { status, body } = await corvus.call('POST', 'entities', report('Wrong', wrong))
  assert.equal(status, 400)
  assert.deepEqual(details(body), [
    "meta.attacks[4]: 'a b' is not the id or URL of an attack node",
    "meta.attacks[1]: there is no attack node 'TA0001:T9999'",
    "meta.attacks[3]: there is no attack node 'TA9999'",
    "meta.attacks[5]: 'T1566' is a technique without its tactic. Use TA0001:T1566",
    "meta.attacks[6]: 'T1078' is a technique without its tactic. Use TA0001:T1078, TA0003:T1078, TA0004:T1078 or TA0005:T1078",
    "meta.attacks[7]: 'T1086' is a technique without its tactic. Use TA0002:T1086",
  ])
  const many = await corvus.call('PUT', 'entities', [report('Right', ['TA0001']), report('Wrong', ['TA0001:T0'])])
  assert.deepEqual(
    [many.status, details(many.body)],
    [400, ["[1].meta.attacks[0]: there is no attack node 'TA0001:T0'"]],
  )
})

test('matrices, tactics, techniques and dead nodes of all frameworks are accepted and answered as they are', async () => {
  const attacks = ['enterprise-attack', 'DISARM', 'TA01', 'TA0001', 'TA0001:T1566.001', 'TA0002:T1086']
  const { status, body } = await corvus.call('POST', 'entities', report('All kinds', attacks))
  assert.equal(status, 201)
  assert.deepEqual(body.data.meta.attacks, attacks.map(url))
  const { body: patched } = await corvus.call('PATCH', `entities/${body.data.id}`, { data: { meta: { attacks } } })
  assert.deepEqual(patched.data.meta.attacks, attacks.map(url))
})

test('what an entity has already may be sent back although it is unknown by now', async () => {
  const stored = await makeOutdated('Outdated')
  assert.deepEqual(stored.meta.attacks, [url('TA0001:T1566'), url('TA0001:T9999')])
  const { id, data, meta } = stored
  for (const sent of [meta, { ...meta, attacks: ['TA0001:T9999', 'TA0002'] }]) {
    assert.equal((await corvus.call('PATCH', `entities/${id}`, { data: { meta: sent } })).status, 200)
    assert.equal((await corvus.call('PUT', 'entities', [{ data, meta: sent }])).status, 200)
  }
  assert.equal((await corvus.call('PATCH', `entities/${id}`, { data: { meta: { alias: 'Old' } } })).status, 200)
  const again = await corvus.call('POST', `entities/${id}/attacks`, { data: ['TA0001:T9999', 'TA0001:T1566'] })
  assert.equal(again.status, 200)
  assert.equal((await corvus.call('PUT', `entities/${id}/attacks/TA0001:T9999`)).status, 200)
  for (const attacks of [['TA0001:T9998'], ['TA0001:T9999', 'TA0001:T9998']])
    assert.equal((await corvus.call('PATCH', `entities/${id}`, { data: { meta: { attacks } } })).status, 400)
  assert.equal((await corvus.call('PUT', 'entities', [report('New', ['TA0001:T9999'])])).status, 400)
})

test('an entity that the caller does not see excuses no unknown node', async () => {
  const { data, id } = await makeOutdated('Unseen')
  const sent = [{ data, meta: { attacks: ['TA0001:T9999'] } }]
  assert.equal((await corvus.call('PUT', 'entities', sent)).status, 200)
  await sql`update entities set vis = 800 where id = ${id}`.execute(corvus.db)
  assert.equal((await corvus.call('GET', `entities/${id}`)).status, 404)
  const { status, body } = await corvus.call('PUT', 'entities', sent)
  assert.deepEqual([status, details(body)], [400, ["meta.attacks[0]: there is no attack node 'TA0001:T9999'"]])
})

test('filters take every id of the right form, known or not', async () => {
  const { id } = await makeOutdated('Found')
  const { body } = await corvus.call('GET', 'entities?filter[meta.attacks]=TA0001:T9999')
  assert.ok(body.data.some((entity: { id: string }) => entity.id === id))
  assert.equal((await corvus.call('GET', 'entities?filter[meta.attacks]=TA0001:T0000')).body.total_count, 0)
  assert.equal((await corvus.call('GET', 'entities?filter[meta.attacks]=a%20b')).status, 400)
})

test('the relation path refuses unknown nodes, each with its position', async () => {
  const { id } = (await corvus.call('POST', 'entities', report('Related', []))).body.data
  const wrong = ['TA0001:T1566', 'TA0001:T9999', 'T1566', 'TA0001', { toString: 1 }]
  const { status, body } = await corvus.call('POST', `entities/${id}/attacks`, { data: wrong })
  assert.equal(status, 400)
  assert.deepEqual(details(body), [
    "data[1]: there is no attack node 'TA0001:T9999'",
    "data[2]: 'T1566' is a technique without its tactic. Use TA0001:T1566",
    "data[3]: 'TA0001' is not an id of attacks.",
    `data[4]: '{"toString":1}' is not an id of attacks.`,
  ])
  assert.equal((await corvus.call('PUT', `entities/${id}/attacks/TA0001:T9999`)).status, 400)
  assert.equal((await corvus.call('DELETE', `entities/${id}/attacks/TA0001:T9999`)).status, 404)
  assert.deepEqual((await corvus.call('GET', `entities/${id}/attacks`)).body.data, [])
})

test('changes by query add only known nodes, and remove also unknown ones that an entity has', async () => {
  await makeOutdated('Changed by query')
  const change = (fields: object) =>
    corvus.call('POST', 'entities/by-query/update', {
      data: { entities_query: 'data.title:"Changed by query"', ...fields },
    })
  const refused = await change({ added_attacks: ['TA0001:T9999', 'T1566'], removed_attacks: ['TA0001:T9998'] })
  assert.deepEqual(details(refused.body), [
    "added_attacks[0]: there is no attack node 'TA0001:T9999'",
    "added_attacks[1]: 'T1566' is a technique without its tactic. Use TA0001:T1566",
    "removed_attacks[0]: there is no attack node 'TA0001:T9998'",
  ])
  assert.equal((await change({ added_attacks: ['TA0002'], removed_attacks: ['TA0001:T9999'] })).status, 202)
})
