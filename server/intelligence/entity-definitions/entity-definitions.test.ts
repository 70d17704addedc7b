import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { writing } from '../../../test/set-up/collection.ts'
import { entityTypes } from '../entities/entity-data.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const path = 'entity-definitions'
const { post, patch, make } = writing(() => corvus, path)

async function attribute(name: string, rest: object = { data_type: 'string' }): Promise<number> {
  const { status, body } = await corvus.call('POST', 'custom-attributes', { data: { name, ...rest } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

async function store(data: object) {
  const { status, body } = await corvus.call('POST', 'entities', { data: { data: { title: 'x', ...data } } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const builtIn = async (type: string) => (await corvus.call('GET', `${path}?filter[type]=${type}`)).body.data[0]

test('every built-in type is defined from the start', async () => {
  const { body } = await corvus.call('GET', path)
  const types = body.data.map(({ type }: { type: string }) => type)
  assert.deepEqual(
    types,
    entityTypes.filter((type) => type !== 'custom-entity'),
  )
  for (const { name, description, attributes, has_instances, is_custom } of body.data) {
    assert.ok(name)
    assert.deepEqual([description, attributes, has_instances, is_custom], [null, [], false, false])
  }
})

test('name and type are required, and nothing else', async () => {
  const { status, body } = await post({})
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    ['data.name: is required', 'data.type: is required'],
  )
  const made = await make({ name: 'Least', type: 'least', is_custom: false, has_instances: true })
  const { description, attributes, has_instances, is_custom } = made
  assert.deepEqual([description, attributes, has_instances, is_custom], [null, [], false, true])
})

test('every limit is exact at both ends', async () => {
  const good: [string, string][] = [
    ['name', 'n'],
    ['name', 'n'.repeat(500)],
    ['type', 't'],
    ['type', 't'.repeat(500)],
    ['description', 'd'.repeat(500)],
  ]
  for (const [i, [field, value]] of good.entries()) {
    assert.equal((await make({ name: 'Limits', type: `limits ${i}`, [field]: value }))[field], value)
  }
  const bad: [string, unknown][] = [
    ['name', ''],
    ['name', 'n'.repeat(501)],
    ['type', ''],
    ['type', 't'.repeat(501)],
    ['type', ' t'],
    ['type', 'custom-entity'],
    ['type', 'eclecticiq-sighting'],
    ['description', 'd'.repeat(501)],
    ['attributes', {}],
    ['attributes', [{}]],
    ['attributes', [{ custom_attribute_id: 'x' }]],
    ['attributes', Array.from({ length: 501 }, (_, i) => ({ custom_attribute_id: i + 1 }))],
  ]
  for (const [field, value] of bad) {
    const { status, body } = await post({ name: 'Bad', type: 'bad', [field]: value })
    assert.equal(status, 400, `${field} ${JSON.stringify(value).slice(0, 80)}`)
    assert.ok(body[0].detail.startsWith(`data.${field}`), body[0].detail)
  }
})

test('a type can only be defined once, which includes the built-in types', async () => {
  await make({ name: 'Twice', type: 'twice' })
  assert.equal((await post({ name: 'Other', type: 'twice' })).status, 409)
  assert.equal((await post({ name: 'Indicator', type: 'indicator' })).status, 409)
})

test('attributes are returned with their definition, and PUT finds a definition by its type', async () => {
  const id = await attribute('shown', { data_type: 'integer', allowed_values: [1, 2], display_name: 'Shown' })
  const attributes = [{ custom_attribute_id: `/api/v2/custom-attributes/${id}`, default_value: 2 }]
  const { status, body } = await corvus.call('PUT', path, [{ name: 'Campaign', type: 'campaign', attributes }])
  assert.equal(status, 200, JSON.stringify(body))
  const expected = [
    {
      id,
      custom_attribute_id: id,
      default_value: 2,
      attribute: {
        id,
        name: 'shown',
        data_type: 'integer',
        allowed_values: [1, 2],
        description: null,
        display_name: 'Shown',
      },
    },
  ]
  assert.deepEqual(body.data[0].attributes, expected)
  assert.equal(body.data[0].is_custom, false)
  const campaign = await builtIn('campaign')
  assert.deepEqual(campaign.attributes, expected)
  const again = await patch(campaign.id, { attributes: campaign.attributes, description: 'As it was' })
  assert.deepEqual([again.status, again.body.data.attributes], [200, expected])
  const listed = await corvus.call('GET', `${path}?filter[type]=campaign&attributes=attributes.attribute.name,type`)
  assert.deepEqual(listed.body.data, [{ type: 'campaign', attributes: [{ attribute: { name: 'shown' } }] }])
})

test('all invalid attributes are reported with their positions, and nothing is stored', async () => {
  const id = await attribute('even', { data_type: 'integer', allowed_values: [2, 4] })
  const date = await attribute('on', { data_type: 'date' })
  const attributes = [
    { custom_attribute_id: id, default_value: 3 },
    { custom_attribute_id: 999_999 },
    { custom_attribute_id: date, default_value: 'soon' },
    { custom_attribute_id: id },
  ]
  const { status, body } = await post({ name: 'Odd', type: 'odd', attributes })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    [
      'attributes[0].default_value: must be one of 2, 4, not 3',
      "attributes[1].custom_attribute_id: there is no '999999' in custom_attributes",
      'attributes[2].default_value: must be a day such as 2024-01-29',
      "attributes[3].custom_attribute_id: 'even' is listed twice",
    ],
  )
  assert.equal(await builtIn('odd'), undefined)
})

test('a built-in type can be renamed, but neither deleted nor get another type', async () => {
  const { id } = await builtIn('note')
  for (const answer of [
    await corvus.call('DELETE', `${path}/${id}`),
    await corvus.call('DELETE', path, [id]),
    await patch(id, { type: 'notice' }),
  ]) {
    assert.equal(answer.status, 409)
    assert.match(answer.body[0].detail, /^'note' is a built-in type: it cannot /)
  }
  const { body } = await patch(id, { name: 'Remark', description: 'What came to mind', type: 'note' })
  assert.deepEqual([body.data.name, body.data.description, body.data.type], ['Remark', 'What came to mind', 'note'])
})

test('a type with entities can neither be deleted nor get another type', async () => {
  const { id } = await make({ name: 'Used', type: 'used' })
  assert.equal((await patch(id, { type: 'in-use' })).status, 200)
  const entity = await store({ type: 'custom-entity', custom_entity_type: 'in-use' })
  assert.equal((await corvus.call('GET', `${path}/${id}`)).body.data.has_instances, true)
  for (const answer of [await corvus.call('DELETE', `${path}/${id}`), await patch(id, { type: 'used' })]) {
    assert.equal(answer.status, 409)
    assert.match(answer.body[0].detail, /^'in-use' cannot /)
  }
  assert.equal((await patch(id, { name: 'Still used' })).status, 200)
  await corvus.call('DELETE', `entities/${entity.id}`)
  assert.equal((await corvus.call('GET', `${path}/${id}`)).body.data.has_instances, false)
  assert.equal((await corvus.call('DELETE', `${path}/${id}`)).status, 204)
})

test('entities of a built-in type are its instances, found by an index', async () => {
  await store({ type: 'malware' })
  assert.equal((await builtIn('malware')).has_instances, true)
  assert.equal((await builtIn('location')).has_instances, false)
  const client = await corvus.pool.connect()
  try {
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query(
      `explain select from entities as e where entity_kind(e.type, e.data) = (select type from entity_definitions limit 1)`,
    )
    assert.match(JSON.stringify(rows), /Scan using entities_kind|on entities_kind/)
  } finally {
    client.release(true)
  }
})

test('an attribute can only be added if all stored values under its name are valid', async () => {
  const { id } = await make({ name: 'Filled', type: 'filled' })
  const entity = (value: unknown) =>
    store({ type: 'custom-entity', custom_entity_type: 'filled', ...(value as object) })
  await entity({ score: 5, site: 'http://xn--mnchen-3ya.example/', parts: ['a'], on: '2024-01-29' })
  await entity({ score: '7', site: null, parts: 'a', on: '2024-01-29T00:00:00Z' })
  await store({ type: 'custom-entity', custom_entity_type: 'least', score: 'elsewhere', site: 'elsewhere' })
  const cases: [string, object, boolean][] = [
    ['score', { data_type: 'integer' }, false],
    ['site', { data_type: 'url' }, true],
    ['parts', { data_type: 'list' }, false],
    ['absent', { data_type: 'boolean' }, true],
    ['constructor', { data_type: 'boolean' }, true],
  ]
  for (const [name, rest, isFit] of cases) {
    const attributes = [{ custom_attribute_id: await attribute(name, rest) }]
    const { status, body } = await patch(id, { attributes })
    assert.equal(status, isFit ? 200 : 409, `${name} ${JSON.stringify(body)}`)
    if (!isFit)
      assert.equal(
        body[0].detail,
        `Entities of 'filled' already have values in data.${name} that do not fit this attribute.`,
      )
  }
})

test('the permissions are those of configurations', async () => {
  const reader = await corvus.tokenFor(['read configurations'])
  assert.equal((await corvus.call('GET', path, undefined, reader)).status, 200)
  const refused = await corvus.call('POST', path, { data: { name: 'x', type: 'x' } }, reader)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [modify configurations]'])
  const analyst = await corvus.tokenFor(['read entities', 'modify entities'])
  assert.equal((await corvus.call('GET', path, undefined, analyst)).status, 403)
})
