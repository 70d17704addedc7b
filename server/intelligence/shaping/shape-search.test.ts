import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { corvus, custom, define, make } from '../../../test/set-up/shaping.ts'

test('queries find custom attributes at once, numbers and times by their value', async () => {
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

test('the OpenAPI document has custom types and attributes at once, for signed-in users', async () => {
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
