import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, custom, define, details, make, post } from '../../../test/set-up/shaping.ts'

/** Changes definitions as another process would, so that this one is not notified. */
const elsewhere = (statement: string) =>
  corvus.pool.query(`begin; update entity_shape set version = gen_random_uuid(); ${statement}; commit`)

test('definitions of another process take effect at once, in both directions', async () => {
  await elsewhere(`insert into entity_definitions (name, type) values ('Remote', 'remote')`)
  const { id } = await make(custom('remote'))
  await corvus.call('DELETE', `entities/${id}`)
  await elsewhere(`delete from entity_definitions where type = 'remote'`)
  assert.equal((await post(custom('remote'))).status, 400)
  const definition = await define('narrowed', [{ name: 'size_class', data_type: 'string' }])
  const entity = await make(custom('narrowed', { size_class: 'any' }))
  await corvus.call('DELETE', `entities/${entity.id}`)
  const stored = await make(custom('narrowed'))
  await elsewhere(`update custom_attributes set allowed_values = '["s", "l"]' where name = 'size_class'`)
  const refused = await corvus.call('PATCH', `entities/${stored.id}`, { data: { data: { size_class: 'any' } } })
  assert.deepEqual(
    [refused.status, details(refused.body)],
    [400, ["data.size_class: must be one of 's', 'l', not 'any'"]],
  )
  await elsewhere(`update entity_definitions set attributes =
    jsonb_set(attributes, '{0,default_value}', '"s"') where id = ${definition}`)
  assert.equal((await make(custom('narrowed'))).data.size_class, 's')
})

test('an entity written while its type is deleted is refused, or keeps the type', async () => {
  const first = await define('going')
  await define('known')
  await make(custom('known'))
  const client = await corvus.pool.connect()
  try {
    await client.query('begin')
    await client.query('update entity_shape set version = gen_random_uuid()')
    await client.query('lock table entities in share mode')
    await client.query(`delete from entity_definitions where id = ${first}`)
    const writing = post(custom('going'))
    await waiting()
    await client.query('commit')
    assert.equal((await writing).status, 400)

    const second = await define('going')
    await client.query('begin')
    await client.query(`insert into entities (id, stix_id, type, vis, half_life, data, meta, search) values
      (gen_random_uuid(), 'going', 'custom-entity', 8, 1, '{"custom_entity_type": "going"}', '{}', '')`)
    const deleting = corvus.call('DELETE', `entity-definitions/${second}`)
    await waiting()
    await client.query('commit')
    assert.equal((await deleting).status, 409)
  } finally {
    client.release()
  }
})

/** Waits until a request is blocked by a lock in this database. */
async function waiting(): Promise<void> {
  for (;;) {
    const { rows } = await corvus.pool.query(
      `select from pg_locks where not granted and locktype = 'relation' and database =
        (select oid from pg_database where datname = current_database())`,
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('concurrent writes of definitions and entities leave no entity of an undefined type', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, (_, i) => define(`burst ${i}`)))
  const writes = Array.from({ length: 40 }, (_, i) => post(custom(`burst ${i % 4}`)))
  const deletes = ids.map((id) => corvus.call('DELETE', `entity-definitions/${id}`))
  const answers = await Promise.all([...writes, ...deletes])
  for (const { status, body } of answers) assert.ok([201, 204, 400, 409].includes(status), JSON.stringify(body))
  const { rows } = await corvus.pool.query(`
    select from entities as e
    where e.type = 'custom-entity'
      and not exists (select from entity_definitions as d where d.type = e.data ->> 'custom_entity_type' and d.is_custom)`)
  assert.equal(rows.length, 0)
})
