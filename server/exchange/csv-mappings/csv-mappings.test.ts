import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { messageOf } from '../../engine/body.ts'
import { MALICIOUSNESS } from '../../intelligence/entities/observables-in.ts'
import { inlineCsvMapping } from './mapping.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const path = 'csv-mappings'
const post = (data: object) => corvus.call('POST', path, { data })

let counter = 0
const least = () => ({ name: `Mapping ${++counter}`, mappings: [{ column_name: 'a' }] })

async function make(data: object = {}) {
  const { status, body } = await post({ ...least(), ...data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function assertRefused(data: object, place: string) {
  const { status, body } = await post({ ...least(), ...data })
  assert.equal(status, 400, JSON.stringify(data).slice(0, 200))
  assert.equal(body.length, 1, JSON.stringify(body))
  assert.equal(body[0].detail.split(': ')[0], `data.${place}`)
}

const DEFAULTS = {
  comment_character: '#',
  delimiter: ',',
  first_row_is_header: true,
  ignore_comment_lines: false,
  ignore_lines_without_delimiter: false,
  parse_tags: false,
  quote_character: '"',
  tags_delimiter: ';',
}

test('name and mappings are required', async () => {
  const { status, body } = await post({})
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    ['data.name: is required', 'data.mappings: is required'],
  )
})

test('all other fields have defaults that appear in the response', async () => {
  const { mappings, columns, config, csv_url, default_field_values, description, incoming_feeds, id } = await make({
    incoming_feeds: ['https://corvus.example/api/v2/incoming-feeds/1'],
  })
  assert.deepEqual(mappings, [{ column_name: 'a', vendor_fields: [], parameters: {} }])
  assert.deepEqual([columns, config, csv_url, default_field_values], [[], DEFAULTS, null, {}])
  assert.deepEqual([description, incoming_feeds], [null, []])
  assert.ok(Number.isInteger(id))
})

test('fields are returned as they were sent', async () => {
  const sent = {
    mappings: [
      {
        column_name: 'when',
        vendor_fields: ['meta.estimated_observed_time', 'data.timestamp'],
        parameters: {
          column_delimiter: '|',
          maliciousness: 'low',
          time_format: '%d.%m.%Y',
          title_before_description: true,
          title_heading: 'When',
        },
      },
    ],
    columns: ['when', 'what'],
    config: { ...DEFAULTS, delimiter: '\t', quote_character: "''", first_row_is_header: false, parse_tags: true },
    csv_url: 'https://feeds.example/a.csv',
    default_field_values: { type: 'indicator', tags: ['csv'] },
    description: 'Daily',
  }
  assert.partialDeepStrictEqual(await make(sent), sent)
})

test('omitted parts of the configuration get defaults, and keep their values in a PATCH', async () => {
  const { id, config } = await make({ config: { delimiter: ';', tags_delimiter: '|' } })
  assert.deepEqual(config, { ...DEFAULTS, delimiter: ';', tags_delimiter: '|' })
  const change = (given: object) => corvus.call('PATCH', `${path}/${id}`, { data: { config: given } })
  const patched = await change({ parse_tags: true, tags_delimiter: null })
  assert.deepEqual(patched.body.data.config, { ...DEFAULTS, delimiter: ';', parse_tags: true })
  const refused = await change({ quote_character: ';' })
  assert.deepEqual(
    [refused.status, refused.body[0].detail],
    [400, 'config.delimiter: must not be the same as quote_character'],
  )
})

test('every limit holds at both edges', async () => {
  const mapping = (rest: object) => ({ mappings: [{ column_name: 'a', ...rest }] })
  const many = (amount: number) => Array.from({ length: amount }, (_, i) => ({ column_name: `${i}` }))
  for (const good of [
    { name: 'n' },
    { name: 'n'.repeat(500) },
    { mappings: [] },
    { mappings: many(1000) },
    mapping({ column_name: 'c'.repeat(1000) }),
    mapping({ vendor_fields: ['f'.repeat(500)] }),
    mapping({ vendor_fields: Array.from({ length: 100 }, () => 'f') }),
    mapping({ parameters: { column_delimiter: 'x'.repeat(100), time_format: 'x'.repeat(200), title_heading: '' } }),
    { config: { comment_character: '\u{1f426}', delimiter: '\t', tags_delimiter: ' ' } },
    { config: { quote_character: '' } },
    { config: { quote_character: '«»' } },
  ]) {
    await make(good)
  }
  const refused: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'n'.repeat(501) }, 'name'],
    [{ mappings: null }, 'mappings'],
    [{ mappings: many(1001) }, 'mappings'],
    [{ mappings: [{}] }, 'mappings[0].column_name'],
    [mapping({ column_name: '' }), 'mappings[0].column_name'],
    [mapping({ column_name: 'c'.repeat(1001) }), 'mappings[0].column_name'],
    [mapping({ vendor_fields: 'a' }), 'mappings[0].vendor_fields'],
    [mapping({ vendor_fields: [''] }), 'mappings[0].vendor_fields[0]'],
    [mapping({ vendor_fields: ['f'.repeat(501)] }), 'mappings[0].vendor_fields[0]'],
    [mapping({ vendor_fields: Array.from({ length: 101 }, () => 'f') }), 'mappings[0].vendor_fields'],
    [mapping({ parameters: { column_delimiter: '' } }), 'mappings[0].parameters.column_delimiter'],
    [mapping({ parameters: { column_delimiter: 'x'.repeat(101) } }), 'mappings[0].parameters.column_delimiter'],
    [mapping({ parameters: { time_format: '' } }), 'mappings[0].parameters.time_format'],
    [mapping({ parameters: { title_heading: 'x'.repeat(201) } }), 'mappings[0].parameters.title_heading'],
    [mapping({ parameters: { title_before_description: 'yes' } }), 'mappings[0].parameters.title_before_description'],
    [{ columns: 'a' }, 'columns'],
    [{ csv_url: 'feeds.example' }, 'csv_url'],
    [{ csv_url: 'https://a:b@feeds.example/' }, 'csv_url'],
    [{ default_field_values: [] }, 'default_field_values'],
    ...['comment_character', 'delimiter', 'tags_delimiter'].flatMap((name) =>
      ['', 'ab', '\n', 1].map((value): [object, string] => [{ config: { [name]: value } }, `config.${name}`]),
    ),
    [{ config: { quote_character: '"""' } }, 'config.quote_character'],
    [{ config: { quote_character: '\r' } }, 'config.quote_character'],
    ...['first_row_is_header', 'ignore_comment_lines', 'ignore_lines_without_delimiter', 'parse_tags'].map(
      (name): [object, string] => [{ config: { [name]: 'yes' } }, `config.${name}`],
    ),
  ]
  for (const [data, place] of refused) await assertRefused(data, place)
})

test('every maliciousness is accepted, and no other', async () => {
  assert.deepEqual([...MALICIOUSNESS].sort(), ['high', 'low', 'medium', 'safe', 'unknown'])
  const mappings = MALICIOUSNESS.map((maliciousness) => ({ column_name: 'a', parameters: { maliciousness } }))
  await make({ mappings })
  const foreign = [{ column_name: 'a', parameters: { maliciousness: 'evil' } }]
  await assertRefused({ mappings: foreign }, 'mappings[0].parameters.maliciousness')
})

test('delimiters that could not be distinguished are refused where they are used', async () => {
  await assertRefused({ config: { delimiter: '"' } }, 'config.delimiter')
  await assertRefused({ config: { quote_character: '<,' } }, 'config.delimiter')
  await make({ config: { comment_character: ',' } })
  await assertRefused({ config: { comment_character: ',', ignore_comment_lines: true } }, 'config.comment_character')
  await assertRefused({ config: { comment_character: '"', ignore_comment_lines: true } }, 'config.comment_character')
  await make({ config: { tags_delimiter: '"' } })
  await assertRefused({ config: { tags_delimiter: '"', parse_tags: true } }, 'config.tags_delimiter')
  await make({ config: { tags_delimiter: ',', parse_tags: true } })
})

test('the older name of a field is accepted', async () => {
  const { mappings } = await make({ mappings: [{ column_name: 'a', eiq_fields: ['data.title'] }] })
  assert.deepEqual(mappings, [{ column_name: 'a', vendor_fields: ['data.title'], parameters: {} }])
})

test('an inline mapping has the same fields and defaults, and needs its mappings', () => {
  const { error } = inlineCsvMapping.safeParse({}, { error: messageOf })
  assert.deepEqual(
    error?.issues.map(({ path: place, message }) => [place, message]),
    [[['mappings'], 'is required']],
  )
  assert.deepEqual(inlineCsvMapping.parse({ mappings: [] }), {
    mappings: [],
    columns: [],
    config: DEFAULTS,
    csv_url: null,
    default_field_values: {},
    description: null,
  })
  assert.ok(!inlineCsvMapping.safeParse({ mappings: [], config: { delimiter: '"' } }).success)
})

test('permissions are those of configurations', async () => {
  const reader = await corvus.tokenFor(['read configurations'])
  assert.equal((await corvus.call('GET', path, undefined, reader)).status, 200)
  const { status, body } = await corvus.call('POST', path, { data: least() }, reader)
  assert.deepEqual([status, body[0].detail], [403, 'Missing permissions: [modify configurations]'])
  const other = await corvus.tokenFor(['read entities'])
  assert.equal((await corvus.call('GET', path, undefined, other)).status, 403)
})
