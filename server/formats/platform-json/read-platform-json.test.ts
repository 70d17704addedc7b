import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { readPlatformJson } from './read-platform-json.ts'

const read = (given: unknown): Promise<Finding[]> =>
  Array.fromAsync(readPlatformJson(documentOf(typeof given === 'string' ? given : JSON.stringify(given))))

const entity = (title: string, more: object = {}) => ({
  data: { type: 'report', title, id: `id of ${title}` },
  ...more,
})

const titlesIn = (findings: readonly Finding[]) =>
  findings.map((finding) => (finding.kind === 'entity' ? finding.entity.data.title : finding.kind))

test('entities are read in every wrapping that the API and its clients use', async () => {
  const one = entity('a')
  for (const given of [
    one,
    [one],
    { data: one },
    { data: [one], count: 1, total_count: 1 },
    { entities: [one] },
    JSON.stringify({ 'content-type': 'urn:eclecticiq.com:json:1.0', entities: [one] }, null, 2),
    `${JSON.stringify(one)}\n`,
  ]) {
    assert.deepEqual(titlesIn(await read(given)), ['a'], JSON.stringify(given))
  }
  assert.deepEqual(titlesIn(await read(`${JSON.stringify(one)}\n\n${JSON.stringify(entity('b'))}\r\n`)), ['a', 'b'])
  assert.deepEqual(titlesIn(await read({ data: [], total_count: 0 })), [])
  assert.deepEqual(titlesIn(await read([])), [])
})

test('locations are reported in a form that people can find', async () => {
  const places = async (given: unknown) => (await read(given)).map(({ at }) => at)
  assert.deepEqual(await places({ entities: [entity('a')], observables: [{ type: 'domain', value: 'a.example' }] }), [
    'entities[0]',
    'observables[0]',
  ])
  assert.deepEqual(await places(`${JSON.stringify(entity('a'))}\n\n${JSON.stringify(entity('b'))}`), [
    'line 1',
    'line 3',
  ])
  assert.deepEqual(await places([entity('a')]), ['[0]'])
})

test('relationships follow entities, wherever they are, by STIX id or position', async () => {
  const between = (source: unknown, target: unknown) => ({
    data: { source, target, key: 'threat_actors', type: 'relation', source_type: 'report' },
  })
  const findings = await read({
    type: 'linked-entities',
    relations: [between('x', 'y'), between(0, 1), between('https://a.example/api/v2/entities/1', 'y'), between(0, 9)],
    entities: [entity('a'), entity('b')],
  })
  assert.deepEqual(titlesIn(findings), ['a', 'b', 'relationship', 'relationship', 'lost', 'lost'])
  assert.deepEqual(findings[2], {
    kind: 'relationship',
    at: 'relations[0]',
    relationship: { data: { source: 'x', target: 'y', key: 'threat-actors' } },
  })
  assert.partialDeepStrictEqual(findings[3], {
    relationship: { data: { source: 'id of a', target: 'id of b', key: 'threat-actors' } },
  })
})

test('observables of older documents keep their properties', async () => {
  const [found] = await read({
    ...entity('a'),
    extracts: [{ kind: 'domain', value: 'A.example', meta: { classification: 'bad', confidence: 'low' } }],
    observables: [
      { type: 'ipv4', value: '192.0.2.1', meta: { maliciousness: 'safe' } },
      'https://x.example/observables/3',
    ],
    meta: {
      bundled_extracts: [{ kind: 'uri', value: 'http://a.example/', link_type: 'sighted', classification: 'good' }],
      taxonomy: [['a', 'b']],
      taxonomies: ['c/d', 5, 'https://x.example/api/v2/taxonomies/5'],
      attacks: ['https://x.example/api/v2/attacks/TA0001:T1566', 'TA0002'],
      attack: [{ id: 'T1566', name: 'Phishing' }],
      title: 'computed',
      source: 'somebody',
      x_other: 1,
    },
    surprise: true,
  })
  assert.ok(found?.kind === 'entity')
  assert.deepEqual(found.entity.observables, [
    { type: 'ipv4', value: '192.0.2.1', maliciousness: 'safe' },
    { type: 'domain', value: 'a.example', maliciousness: 'low' },
    { type: 'uri', value: 'http://a.example/', maliciousness: 'safe', link_type: 'sighted' },
  ])
  const attacks = ['TA0001:T1566', 'TA0002', 'T1566']
  assert.deepEqual(found.entity.meta, { x_other: 1, taxonomies: ['c/d', 'a/b'], attacks })
  assert.deepEqual(found.losses, [
    "taxonomy '5' is not a path of names",
    "taxonomy 'https://x.example/api/v2/taxonomies/5' is not a path of names",
    "observable 'https://x.example/observables/3' is not an object with type and value",
    "unsupported field 'surprise'",
  ])
})

test('invalid entities are lost, and the others are read', async () => {
  const findings = await read([entity('a'), 5, {}, { data: { type: 'report' } }, { data: { title: 'x' } }, entity('b')])
  assert.deepEqual(titlesIn(findings), ['a', 'lost', 'lost', 'lost', 'lost', 'b'])
  assert.deepEqual(
    findings.flatMap((finding) => (finding.kind === 'lost' ? `${finding.at}: ${finding.losses.join()}` : [])),
    ['[1]: not an object', '[2]: has no data', '[3]: data.title: is required', '[4]: data.type: is required'],
  )
})

test('attachments must be valid base64', async () => {
  const [found] = await read({
    ...entity('a'),
    attachments: [{ filename: 'f', data: '§§§§§§' }, 'https://x/1', { data: 'YQ==' }],
  })
  assert.ok(found?.kind === 'entity')
  assert.deepEqual(found.entity.attachments, [{ filename: '', bytes: Buffer.from('a') }])
  assert.deepEqual(found.losses, ["attachment 'f' is not valid base64", "attachment 'https://x/1' has no content"])
})

test('an entity without an id gets the same one each time', async () => {
  const idOf = async (title: string) => {
    const [found] = await read([{ data: { type: 'report', title } }])
    return found?.kind === 'entity' ? found.entity.data.id : undefined
  }
  assert.equal(await idOf('a'), await idOf('a'))
  assert.notEqual(await idOf('a'), await idOf('b'))
})

test('other documents are rejected', async () => {
  const refused = (text: string, reason: RegExp) =>
    assert.rejects(read(text), (error) => error instanceof DocumentError && reason.test(error.message))
  await refused('{"type": "something"}', /no list of entities/)
  await refused('{"entities": [{"data": {}}', /Line 1, byte \d+/)
  await refused('{"entities": [], "entities": []}', /duplicate member/)
  await refused(`${JSON.stringify(entity('a'))}\n{"data":`, /Line 2/)
  await refused('7', /JSON object or list/)
  await refused(`{"entities":[${'['.repeat(100_000)}]}`, /nested more than/)
})
