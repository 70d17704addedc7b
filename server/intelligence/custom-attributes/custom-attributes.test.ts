import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { writing } from '../../../test/set-up/collection.ts'
import { entityData } from '../entities/entity-data.ts'
import { DATA_TYPES } from '../shaping/data-types.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const path = 'custom-attributes'
const { post, patch, make } = writing(() => corvus, path)

/** Creates an attribute and a type that has it. */
async function attached(name: string, attribute: object, default_value: unknown = null) {
  const { id } = await make({ name, ...attribute })
  const attributes = [{ custom_attribute_id: id, default_value }]
  const type = `type of ${name}`
  const { status, body } = await corvus.call('POST', 'entity-definitions', { data: { name: type, type, attributes } })
  assert.equal(status, 201, JSON.stringify(body))
  const entity = (value: unknown) =>
    corvus.call('POST', 'entities', {
      data: { data: { type: 'custom-entity', custom_entity_type: type, title: 'x', [name]: value } },
    })
  return { id, type, definition: body.data.id, entity }
}

async function assertConflict(answer: Awaited<ReturnType<typeof post>>, detail: RegExp) {
  assert.equal(answer.status, 409, JSON.stringify(answer.body))
  assert.match(answer.body[0].detail, detail)
}

test('name and data type are required, everything else is null', async () => {
  const { status, body } = await post({})
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(': ')[0]),
    ['data.name', 'data.data_type'],
  )
  const { allowed_values, description, display_name, is_used_in_entity_schema } = await make({
    name: 'least',
    data_type: 'string',
    is_used_in_entity_schema: true,
  })
  assert.deepEqual([allowed_values, description, display_name, is_used_in_entity_schema], [null, null, null, false])
})

test('every data type is accepted, and no other', async () => {
  assert.deepEqual(DATA_TYPES, ['string', 'text', 'integer', 'number', 'boolean', 'date', 'datetime', 'url', 'list'])
  for (const data_type of DATA_TYPES) await make({ name: `a_${data_type}`, data_type })
  const { status, body } = await post({ name: 'foreign', data_type: 'colour' })
  assert.equal(status, 400)
  assert.match(body[0].detail, /^data\.data_type: must be one of 'string', .*, not 'colour'$/)
})

test('every limit is exact at both ends', async () => {
  const good: [string, unknown][] = [
    ['name', 'n'],
    ['name', 'n'.repeat(100)],
    ['description', ''],
    ['description', 'd'.repeat(500)],
    ['display_name', 'd'.repeat(500)],
    ['allowed_values', ['a']],
    ['allowed_values', Array.from({ length: 1000 }, (_, i) => `${i}`)],
  ]
  for (const [i, [field, value]] of good.entries()) {
    const made = await make({ name: `limit_${i}`, data_type: 'string', [field]: value })
    assert.deepEqual(made[field], value)
  }
  const bad: [string, unknown][] = [
    ['name', ''],
    ['name', 'n'.repeat(101)],
    ['name', 'a.b'],
    ['name', 'a b'],
    ['name', '_a'],
    ['name', '-a'],
    ['name', '__proto__'],
    ['description', 'd'.repeat(501)],
    ['display_name', 'd'.repeat(501)],
    ['allowed_values', []],
    ['allowed_values', Array.from({ length: 1001 }, (_, i) => `${i}`)],
    ['allowed_values', 'a'],
    ['allowed_values', [null]],
    ['allowed_values', [{}]],
  ]
  for (const [field, value] of bad) {
    const { status, body } = await post({ name: 'bad', data_type: 'string', [field]: value })
    assert.equal(status, 400, `${field} ${JSON.stringify(value)}`)
    assert.ok(body[0].detail.startsWith(`data.${field}`), body[0].detail)
  }
})

test('the name of an attribute must not be a field of any entity type', async () => {
  const taken = new Set(entityData.options.flatMap(({ shape }) => Object.keys(shape)))
  assert.ok(taken.size > 80)
  for (const name of taken) {
    const { status, body } = await post({ name, data_type: 'string' })
    assert.equal(status, 400, name)
    assert.equal(body[0].detail, 'data.name: is already a field of entities')
  }
})

test('a name exists once', async () => {
  await make({ name: 'once', data_type: 'string' })
  await assertConflict(await post({ name: 'once', data_type: 'text' }), /name 'once'/)
})

test('allowed values must be of the data type and unique, and every invalid one is reported', async () => {
  const good: [string, unknown[]][] = [
    ['string', ['a', '']],
    ['text', ['a\nb']],
    ['integer', [1, -2]],
    ['number', [1.5, 2]],
    ['boolean', [true]],
    ['date', ['2024-02-29']],
    ['datetime', ['2024-02-29T10:00:00Z']],
    ['url', ['https://corvus.example/a']],
    ['list', ['a', 'b']],
  ]
  for (const [data_type, allowed_values] of good) {
    const made = await make({ name: `allowed_${data_type}`, data_type, allowed_values })
    assert.deepEqual(made.allowed_values, allowed_values)
  }
  const { status, body } = await post({ name: 'wrong', data_type: 'integer', allowed_values: [1, 1.5, 'x'] })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(': ')[0]),
    ['allowed_values[1]', 'allowed_values[2]'],
  )
  const twice = await post({ name: 'wrong', data_type: 'integer', allowed_values: [1, 2, 1] })
  assert.deepEqual([twice.status, twice.body[0].detail], [400, 'data.allowed_values[2]: is listed twice'])
  const put = await corvus.call('PUT', path, [
    { name: 'allowed_integer', data_type: 'integer', allowed_values: [1, -2] },
    { name: 'wrong', data_type: 'boolean', allowed_values: ['yes'] },
  ])
  assert.equal(put.status, 400)
  assert.match(put.body[0].detail, /^\[1\]\.allowed_values\[0\]: /)
  assert.equal((await corvus.call('GET', `${path}?filter[name]=wrong&data=false`)).body.total_count, 0)
})

test('an unused attribute can be changed and deleted freely', async () => {
  const { id } = await make({ name: 'free', data_type: 'string', allowed_values: ['a', 'b'] })
  const { status, body } = await patch(id, { name: 'freed', data_type: 'integer', allowed_values: [1] })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.data.name, body.data.data_type, body.data.allowed_values], ['freed', 'integer', [1]])
  assert.equal((await patch(id, { data_type: 'string' })).status, 400, 'the allowed values would not fit')
  assert.equal((await patch(id, { allowed_values: null })).body.data.allowed_values, null)
  assert.equal((await corvus.call('DELETE', `${path}/${id}`)).status, 204)
})

test('an attribute of a type can neither be renamed, deleted nor get another data type', async () => {
  const { id, definition } = await attached('kept', { data_type: 'string' })
  const { body } = await corvus.call('GET', `${path}/${id}`)
  assert.equal(body.data.is_used_in_entity_schema, true)
  await assertConflict(
    await patch(id, { name: 'other' }),
    /'kept' is an attribute of 'type of kept': remove it from there before you rename it/,
  )
  await assertConflict(
    await patch(id, { data_type: 'text' }),
    /'kept' is an attribute of .* before you change its data type/,
  )
  await assertConflict(
    await corvus.call('PUT', path, [{ name: 'kept', data_type: 'text' }]),
    /before you change its data type/,
  )
  await assertConflict(await corvus.call('DELETE', `${path}/${id}`), /'kept' is an attribute of 'type of kept'/)
  await assertConflict(await corvus.call('DELETE', path, [id]), /remove it from there first/)
  const described = await patch(id, { description: 'More of it', display_name: 'Kept' })
  assert.deepEqual([described.status, described.body.data.display_name], [200, 'Kept'])
  await corvus.call('PATCH', `entity-definitions/${definition}`, { data: { attributes: [] } })
  assert.equal((await patch(id, { name: 'other', data_type: 'text' })).status, 200)
  assert.equal((await corvus.call('DELETE', `${path}/${id}`)).status, 204)
})

test('an allowed value can only be removed when no entity and no default value uses it', async () => {
  const { id, definition, type, entity } = await attached(
    'graded',
    { data_type: 'string', allowed_values: ['a', 'b', 'c'] },
    'b',
  )
  const made = await entity('a')
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal((await patch(id, { allowed_values: ['a', 'b'] })).status, 200, 'no entity has c')
  await assertConflict(await patch(id, { allowed_values: ['b'] }), /Entities of 'type of graded' have values/)
  await assertConflict(
    await patch(id, { allowed_values: ['a'] }),
    /with a default value that would no longer be allowed/,
  )
  assert.equal((await entity('c')).status, 400)
  assert.equal((await patch(id, { allowed_values: ['a', 'b', 'd'] })).status, 200)
  assert.equal((await entity('d')).status, 201)
  await corvus.call('PATCH', `entity-definitions/${definition}`, {
    data: { attributes: [{ custom_attribute_id: id }] },
  })
  assert.equal((await patch(id, { allowed_values: ['a', 'd'] })).status, 200, 'the default is gone')
  assert.equal((await patch(id, { allowed_values: null })).status, 200)
  assert.equal((await entity('anything')).status, 201)
  await assertConflict(await patch(id, { allowed_values: ['a', 'd'] }), /have values/)
  assert.ok(type)
})

test('allowed values of lists are those of their items', async () => {
  const { id, entity } = await attached('listed', { data_type: 'list', allowed_values: ['a', 'b', 'c'] })
  assert.equal((await entity(['a', 'b'])).status, 201)
  const { status, body } = await entity(['a', 'x'])
  assert.deepEqual([status, body[0].detail], [400, "data.listed[1]: must be one of 'a', 'b', 'c', not 'x'"])
  assert.equal((await patch(id, { allowed_values: ['a', 'b'] })).status, 200)
  await assertConflict(await patch(id, { allowed_values: ['a'] }), /have values/)
})

test('mappings list which types have which attributes', async () => {
  const { id } = await make({ name: 'zz_mapped', data_type: 'string' })
  await make({ name: 'zz_unmapped', data_type: 'string' })
  const attributes = [{ custom_attribute_id: id }]
  const indicator = (await corvus.call('GET', 'entity-definitions?filter[type]=indicator')).body.data[0]
  await corvus.call('PATCH', `entity-definitions/${indicator.id}`, { data: { attributes } })
  await corvus.call('POST', 'entity-definitions', { data: { name: 'Mapped', type: 'mapped', attributes } })
  const { status, body } = await corvus.call('GET', `${path}/mappings?limit=2000`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['count', 'data', 'limit', 'offset', 'total_count', 'cursor'])
  assert.deepEqual(body.data.slice(-2), [
    {
      custom_attribute_name: 'zz_mapped',
      custom_entity_types: [
        { name: 'Indicator', type: 'indicator' },
        { name: 'Mapped', type: 'mapped' },
      ],
    },
    { custom_attribute_name: 'zz_unmapped', custom_entity_types: [] },
  ])
  const second = (await corvus.call('GET', `custom_attributes/mappings?limit=1&offset=${body.total_count - 1}`)).body
  assert.deepEqual([second.count, second.total_count, second.data], [1, body.total_count, body.data.slice(-1)])
  assert.equal((await corvus.call('GET', `${path}/mappings?limit=0`)).status, 400)
  const token = await corvus.tokenFor(['modify configurations'])
  assert.equal((await corvus.call('GET', `${path}/mappings`, undefined, token)).status, 403)
})
