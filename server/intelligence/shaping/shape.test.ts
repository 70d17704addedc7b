import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { startApp } from '../../../test/app.ts'
import { makeCounter } from '../../../test/set-up/counting.ts'

const { count, statementsOf } = makeCounter()
let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp((statement) => {
    if (!/\b(tokens|sessions|audit_trail)\b/.test(statement)) count()
  })
})
after(() => corvus.stop())

type Attribute = { name: string; data_type: string; allowed_values?: unknown[]; default_value?: unknown }

/** Defines a type, or gives one of the platform attributes of its own. */
async function define(type: string, attributes: readonly Attribute[] = []): Promise<number> {
  const own = attributes.map(({ default_value: _, ...attribute }) => attribute)
  const made = own.length === 0 ? [] : (await corvus.call('PUT', 'custom-attributes', own)).body.data
  const sent = attributes.map(({ default_value = null }, i) => ({ custom_attribute_id: made[i].id, default_value }))
  const { status, body } = await corvus.call('PUT', 'entity-definitions', [{ name: type, type, attributes: sent }])
  assert.ok(status < 300, JSON.stringify(body))
  return body.data[0].id
}

const custom = (type: string, rest: object = {}) => ({
  data: { type: 'custom-entity', custom_entity_type: type, title: 'Custom', ...rest },
})
const post = (data: object) => corvus.call('POST', 'entities', { data })
const details = (body: { detail: string }[]) => body.map(({ detail }) => detail)

async function make(data: object) {
  const { status, body } = await post(data)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

/** Changes definitions as another process does: nothing in this one hears of it. */
const elsewhere = (statement: string) =>
  corvus.pool.query(`begin; update entity_shape set version = gen_random_uuid(); ${statement}; commit`)

test('before anything is defined, an entity is written without a look at definitions', async () => {
  const items = (amount: number, tag: string) =>
    Array.from({ length: amount }, (_, i) => ({
      data: { type: 'report', title: 'plain', id: `${tag}-${i}`, confidence: 'low' },
    }))
  await corvus.call('PUT', 'entities', items(1, 'first'))
  const few = await statementsOf(() => corvus.call('PUT', 'entities', items(10, 'few')))
  const many = await statementsOf(() => corvus.call('PUT', 'entities', items(500, 'many')))
  assert.equal(many, few)
  await define('counted', [{ name: 'counted_score', data_type: 'integer', default_value: 3 }])
  const counted = (amount: number, tag: string) =>
    items(amount, tag).map(({ data }) => ({
      data: { ...data, type: 'custom-entity', custom_entity_type: 'counted', confidence: undefined },
    }))
  await corvus.call('PUT', 'entities', counted(1, 'warm'))
  const ofFew = await statementsOf(() => corvus.call('PUT', 'entities', counted(10, 'custom few')))
  const ofMany = await statementsOf(() => corvus.call('PUT', 'entities', counted(500, 'custom many')))
  assert.equal(ofMany, ofFew)
  const known = await statementsOf(() => corvus.call('PUT', 'entities', items(10, 'still')))
  assert.equal(known, few, 'what is defined is remembered')
})

test('an entity of a type that is not defined is refused, with those that are', async () => {
  const { status, body } = await post(custom('unknown'))
  assert.deepEqual(
    [status, details(body)],
    [400, ["data.custom_entity_type: 'unknown' is not defined; these are: 'counted'"]],
  )
  await define('known')
  await make(custom('known'))
  assert.equal((await post(custom('indicator'))).status, 400, 'a type of the platform is no custom type')
  assert.equal((await post(custom('constructor'))).status, 400)
  const both = await corvus.call('PUT', 'entities', [custom('known'), custom('unknown')])
  assert.equal(both.status, 400)
  assert.match(both.body[0].detail, /^\[1\]\.data\.custom_entity_type: 'unknown' is not defined/)
})

test('custom attributes are checked on POST, PUT and PATCH, and every bad one is named with its place', async () => {
  await define('checked', [
    { name: 'amount', data_type: 'integer' },
    { name: 'grade', data_type: 'string', allowed_values: ['a', 'b'] },
    { name: 'sites', data_type: 'list' },
  ])
  const bad = { amount: 'much', grade: 'c', sites: ['x', 1] }
  const faults = [
    "data.amount: must be of type number, not 'much'",
    "data.grade: must be one of 'a', 'b', not 'c'",
    'data.sites[1]: must be of type string, not 1',
  ]
  const posted = await post(custom('checked', bad))
  assert.deepEqual([posted.status, details(posted.body)], [400, faults])
  const put = await corvus.call('PUT', 'entities', [custom('checked', { amount: 1 }), custom('checked', bad)])
  assert.deepEqual([put.status, details(put.body)], [400, faults.map((fault) => `[1].${fault}`)])
  const { id, data } = await make(custom('checked', { amount: 1, grade: 'a', sites: ['x'] }))
  const patched = await corvus.call('PATCH', `entities/${id}`, { data: { data: { amount: 1.5 } } })
  assert.deepEqual([patched.status, patched.body.length], [400, 1])
  assert.match(patched.body[0].detail, /^data\.amount: /)
  const known = await corvus.call('PUT', 'entities', [{ data: { ...data, grade: 'x' } }])
  assert.deepEqual([known.status, details(known.body)], [400, ["data.grade: must be one of 'a', 'b', not 'x'"]])
  const good = await corvus.call('PATCH', `entities/${id}`, { data: { data: { amount: 2, grade: null } } })
  assert.deepEqual([good.status, good.body.data.data.amount, 'grade' in good.body.data.data], [200, 2, false])
})

test('a type of the platform has custom attributes too, and other types do not', async () => {
  await define('indicator', [{ name: 'triage', data_type: 'boolean' }])
  assert.equal((await post({ data: { type: 'indicator', title: 'x', triage: 'yes' } })).status, 400)
  await make({ data: { type: 'indicator', title: 'x', triage: true } })
  const { data } = await make({ data: { type: 'tool', title: 'x', triage: 'yes', never_heard_of: { a: 1 } } })
  assert.deepEqual([data.triage, data.never_heard_of], ['yes', { a: 1 }], 'extra properties are kept')
})

test('defaults are filled in when an entity is made, and only then', async () => {
  await define('filled', [
    { name: 'level', data_type: 'string', allowed_values: ['low', 'high'], default_value: 'low' },
    { name: 'owners', data_type: 'list', default_value: [] },
    { name: 'remark', data_type: 'text' },
  ])
  const made = await make(custom('filled'))
  assert.deepEqual([made.data.level, made.data.owners, 'remark' in made.data], ['low', [], false])
  assert.deepEqual((await corvus.call('GET', `entities/${made.id}`)).body.data.data, made.data)
  const found = await corvus.call('GET', 'entities?query=data.level:low&data=false')
  assert.equal(found.body.total_count, 1)
  assert.equal((await make(custom('filled', { level: 'high' }))).data.level, 'high')
  assert.equal((await make(custom('filled', { level: null }))).data.level, null)
  const again = await corvus.call('PUT', 'entities', [custom('filled', { id: made.data.id })])
  assert.deepEqual([again.status, 'level' in again.body.data[0].data], [200, false])
})

test('custom attributes are found by queries at once, numbers and times as such', async () => {
  await define('searched', [
    { name: 'worth', data_type: 'number' },
    { name: 'due', data_type: 'date' },
    { name: 'seen_at', data_type: 'datetime' },
    { name: 'is_open', data_type: 'boolean' },
    { name: 'step', data_type: 'string' },
    { name: 'parts', data_type: 'list' },
  ])
  const first = {
    worth: 9,
    due: '2024-01-05',
    seen_at: '2024-01-29T10:30:00Z',
    is_open: true,
    step: 'In Court',
    parts: ['A', 'B'],
  }
  const second = {
    worth: 10.5,
    due: '2024-02-05',
    seen_at: '2024-01-29T12:00:00+02:00',
    is_open: false,
    step: 'done',
    parts: ['C'],
  }
  const [one, two] = [await make(custom('searched', first)), await make(custom('searched', second))]
  const find = async (rest: string) => {
    const { status, body } = await corvus.call('GET', `entities?${rest}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.map(({ id }: { id: string }) => (id === one.id ? 1 : id === two.id ? 2 : 0))
  }
  const queries: [string, number[]][] = [
    ['data.worth:9', [1]],
    ['data.worth:[9.5 TO 100]', [2]],
    ['data.worth:>=9', [1, 2]],
    ['data.worth:{9 TO *]', [2]],
    ['data.due:2024-01', [1]],
    ['data.due:[2024-01-06 TO *]', [2]],
    ['data.seen_at:[2024-01-29T10:00 TO 2024-01-29T10:15]', [2]],
    ['data.is_open:true', [1]],
    ['data.step:"in court"', [1]],
    ['data.step:in*', [1]],
    ['data.parts:b', [1]],
    ['_exists_:data.worth AND NOT data.parts:a', [2]],
    ['data.ste\\*:done', [2]],
    ['_exists_:data.wort*', [1, 2]],
    ['data.custom_entity_type:searched', [1, 2]],
  ]
  for (const [query, expected] of queries) {
    assert.deepEqual(await find(`query=${encodeURIComponent(query)}`), expected, query)
  }
  assert.deepEqual(await find('filter[data.step]=done'), [2])
  assert.deepEqual(await find('filter[data.parts]=B'), [1])
  assert.deepEqual(await find('filter[data.custom_entity_type]=searched&sort=-data.due'), [2, 1])
  const { body } = await corvus.call(
    'GET',
    'aggregations/entities/counts?fields=data.step,data.worth&query=data.worth:*',
  )
  assert.deepEqual(
    body.data.map(({ field, value, count }: Record<string, unknown>) => [field, value, count]),
    [
      ['data.step', 'In Court', 1],
      ['data.step', 'done', 1],
      ['data.worth', '10.5', 1],
      ['data.worth', '9', 1],
    ],
  )
})

test('the fields that can be searched include custom attributes before any entity has them', async () => {
  await define('listed', [
    { name: 'never_used', data_type: 'integer' },
    { name: 'never_used_time', data_type: 'datetime' },
  ])
  await corvus.call('PUT', 'custom-attributes', [{ name: 'never_used', data_type: 'integer', description: 'Not yet.' }])
  const { body } = await corvus.call('GET', 'search/fields?prefix=data.never_used')
  assert.deepEqual(body.data, [
    { name: 'data.never_used', type: 'number', description: 'Not yet.', examples: [] },
    {
      name: 'data.never_used_time',
      type: 'date',
      description: 'The custom attribute `never_used_time`.',
      examples: [],
    },
  ])
  await make(custom('listed', { never_used: 5 }))
  const found = (await corvus.call('GET', 'search/fields?prefix=data.never_used')).body.data[0]
  assert.deepEqual([found.type, found.examples], ['number', ['5']])
})

test('the OpenAPI document has types and attributes at once, for who is signed in', async () => {
  const read = async (token?: string | null) => (await corvus.call('GET', 'openapi.json', undefined, token)).body
  await define('documented', [
    { name: 'shade', data_type: 'string', allowed_values: ['red', 'blue'], default_value: 'red' },
  ])
  await define('malware', [{ name: 'lab', data_type: 'url' }])
  const document = await read()
  const { EntityDataCustomEntity: own, EntityDataMalware: malware } = document.components.schemas
  assert.ok(own.properties.custom_entity_type.enum.includes('documented'))
  const { then } = own.allOf.find((each: { if: object }) => JSON.stringify(each.if).includes('"documented"'))
  assert.equal(then.properties.shade.default, 'red')
  assert.match(JSON.stringify(then.properties.shade), /"enum":\["red","blue"\]/)
  assert.match(JSON.stringify(malware.properties.lab), /"format":"uri"/)
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config: await createConfig({ extends: ['recommended'] }),
  })
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    [],
  )
  await define('malware')
  assert.equal((await read()).components.schemas.EntityDataMalware.properties.lab, undefined)
  assert.ok(!/documented|shade/.test(JSON.stringify(await read(null))), 'strangers learn nothing of it')
})

test('what another process defines is in force here at once, in both directions', async () => {
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

test('an entity that is written while its type goes is refused, or keeps the type', async () => {
  const first = await define('going')
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

/** Until somebody waits for a lock in this database. */
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

test('twenty definitions and forty entities at once leave nothing that is not defined', async () => {
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
