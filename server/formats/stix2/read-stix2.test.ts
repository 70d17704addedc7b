import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AMBER,
  bundle,
  entitiesIn,
  entityOf,
  lossesIn,
  OTHER,
  object,
  read,
  STRICT,
  TIME,
  UUID,
} from '../../../test/stix-objects.ts'
import { findingsOf } from '../../../test/stix-round-trip.ts'
import { DocumentError, documentOf } from '../document.ts'
import { wayOf } from '../formats.ts'

type Fields = Record<string, unknown>

test('an object becomes an entity that keeps the names of its properties', async () => {
  const fields = {
    name: 'APT',
    aliases: ['a'],
    labels: ['x', 'x', ' '],
    confidence: 75,
    x_own: { y: [1] },
    object_marking_refs: [AMBER],
  }
  const { data, meta } = await entityOf(object('threat-actor', { ...fields, first_seen: '2020-01-01T00:00:00Z' }))
  assert.deepEqual(data, {
    type: 'threat-actor',
    id: `threat-actor--${UUID}`,
    title: 'APT',
    created: TIME,
    modified: TIME,
    aliases: ['a'],
    confidence: 'high',
    first_seen: '2020-01-01T00:00:00Z',
    object_marking_refs: [AMBER],
    x_own: { y: [1] },
    stix: {
      properties: { labels: { said: ['x', 'x', ' '], made: ['x'] }, confidence: { said: 75, made: 85 } },
    },
  })
  assert.deepEqual(meta, {
    tlp_color: 'AMBER',
    tags: ['x'],
    estimated_threat_start_time: '2020-01-01T00:00:00Z',
    estimated_observed_time: TIME,
  })
})

test('every domain object has an entity type', async () => {
  const types = {
    vulnerability: 'exploit-target',
    grouping: 'report',
    opinion: 'note',
    'observed-data': 'vendor-sighting',
    sighting: 'vendor-sighting',
    malware: 'malware',
    'x-own-thing': 'custom-entity',
  }
  for (const [type, entityType] of Object.entries(types)) {
    const { data } = await entityOf(object(type))
    assert.equal(data.type, entityType)
    assert.equal(data.custom_entity_type, entityType === 'custom-entity' ? type : undefined)
    assert.notEqual(data.title, '')
  }
})

test('confidence is converted to a word', async () => {
  const words = [
    [undefined, 'unknown'],
    [0, 'none'],
    [1, 'low'],
    [29, 'low'],
    [30, 'medium'],
    [69, 'medium'],
    [70, 'high'],
    [100, 'high'],
  ]
  for (const [confidence, word] of words)
    assert.equal((await entityOf(object('campaign', { name: 'x', confidence }))).data.confidence, word)
})

test('the strictest TLP colour wins, wherever and however it is defined', async () => {
  const own = `marking-definition--${UUID}`
  const colour = async (refs: string[], definition: Fields = {}) =>
    (await entityOf(object('malware', { object_marking_refs: refs }), object('marking-definition', definition))).meta
      ?.tlp_color
  assert.equal(await colour([AMBER, STRICT]), 'AMBER_STRICT')
  assert.equal(await colour([own], { definition_type: 'tlp', definition: { tlp: 'red' } }), 'RED')
  const extension = { extension_type: 'property-extension', tlp_2_0: 'amber+strict' }
  assert.equal(await colour([own], { extensions: { 'extension-definition--x': extension } }), 'AMBER_STRICT')
  assert.equal(await colour([own], { definition_type: 'statement', definition: { statement: 'red' } }), undefined)
  const granular = [{ marking_ref: STRICT, selectors: ['name'] }]
  assert.equal((await entityOf(object('malware', { granular_markings: granular }))).meta?.tlp_color, 'AMBER_STRICT')
})

test('an attack pattern names its technique and the tactics of its phases', async () => {
  const { attacks } = await entityOf(
    object('attack-pattern', {
      name: 'x',
      external_references: [{ source_name: 'mitre-attack', external_id: 'T1566.001' }],
      kill_chain_phases: [
        { kill_chain_name: 'mitre-attack', phase_name: 'initial-access' },
        { kill_chain_name: 'own', phase_name: 'execution' },
      ],
    }),
  )
  assert.deepEqual(attacks, [{ id: 'T1566.001', tactics: [{ chain: 'mitre-attack', name: 'initial-access' }] }])
  const named = await entityOf(object('attack-pattern', { name: 'x', x_mitre_id: 'T1078' }))
  assert.deepEqual(named.attacks, [{ id: 'T1078' }])
})

test('the newest of several versions is imported, and the others are reported', async () => {
  const old = object('malware', { name: 'old', modified: '2024-01-29T07:42:07.058Z' })
  const recent = object('malware', { name: 'new' })
  for (const order of [
    [old, recent, recent],
    [recent, old, recent],
  ]) {
    const findings = await read(...order)
    assert.deepEqual(
      entitiesIn(findings).map(({ data }) => data.title),
      ['new'],
    )
    assert.match(
      lossesIn(findings).join(),
      /^objects\[[01]\]: older version, modified .*58Z; the version of .*59Z at objects\[[01]\] is used$/,
    )
  }
  assert.match(
    lossesIn(await read(recent, object('malware', { name: 'x' }))).join(),
    /^objects\[1\]: another object with the same id and modification time/,
  )
})

test('invalid objects are reported with the reason, and the rest is imported', async () => {
  const bad = [
    { id: `malware--${UUID}` },
    { type: 'malware' },
    object('malware', { id: 'malware--1' }),
    object('tool', { id: `malware--${OTHER}` }),
    'text',
    null,
    42,
    [],
  ]
  const relationship = object('relationship', {
    relationship_type: 'uses',
    source_ref: 'x',
    target_ref: `tool--${UUID}`,
  })
  const findings = await read(...bad, relationship, object('malware', { name: 'good', created: 'yesterday' }))
  assert.deepEqual(lossesIn(findings), [
    'objects[0]: type: is required',
    'objects[1]: id: is required',
    'objects[2]: id: must be malware-- followed by a UUID',
    'objects[3]: id: does not match the object type tool',
    'objects[4]: expected an object, got a string',
    'objects[5]: expected an object, got null',
    'objects[6]: expected an object, got a number',
    'objects[7]: expected an object, got a list',
    'objects[9]: created: "yesterday" is not valid STIX; it is kept unchanged',
    'objects[8]: source_ref: "x" is not an object id',
  ])
  assert.deepEqual(
    entitiesIn(findings).map(({ data }) => data.title),
    ['good'],
  )
})

test('bundles, envelopes, lists and single objects are accepted, and nothing else', async () => {
  const malware = object('malware', { name: 'x' })
  const documents = [{ type: 'bundle', objects: [malware] }, { more: false, objects: [malware] }, [malware], malware]
  for (const document of documents) assert.equal(entitiesIn(await findingsOf(JSON.stringify(document))).length, 1)
  for (const empty of [{ type: 'bundle', id: `bundle--${UUID}` }, { type: 'bundle', objects: [] }, { objects: [] }, []])
    assert.deepEqual(await findingsOf(JSON.stringify(empty)), [])
  await assert.rejects(findingsOf('{"a": 1}'), /not STIX/)
  await assert.rejects(findingsOf('{"type": "bundle", "objects": {}}'), /not a list/)
})

test('forged extension contents in a document have no effect elsewhere', async () => {
  const text = bundle(object('malware', { title: 5, extracts: [{ kind: 'domain', value: 'a.example' }] })).replace(
    '"title"',
    '"__proto__":{"polluted":1},"title"',
  )
  const [entity] = entitiesIn(await findingsOf(text))
  assert.equal(entity?.data.extracts, undefined)
  assert.notEqual(entity?.data.title, 5)
  assert.equal(({} as Fields).polluted, undefined)
  assert.equal(entity?.data.polluted, undefined)
})

test('integers that numbers cannot hold are reported with the stored value', async () => {
  const text = bundle(object('malware', { name: 'x', is_family: false, x_number: 1 }))
  const findings = await findingsOf(
    text.replace('"x_number":1', '"x_number":9007199254740993,"x_exact":9007199254740992'),
  )
  assert.deepEqual(lossesIn(findings), [
    'objects[0]: x_number: the integer 9007199254740993 is stored as 9007199254740992',
  ])
})

test('of two objects with the same id and time, the first is imported and the other reported', async () => {
  const related = (target: string, text: string) =>
    object('relationship', {
      relationship_type: 'related-to',
      source_ref: `malware--${UUID}`,
      target_ref: target,
      description: text,
    })
  const [one, other] = [related(`ipv4-addr--${UUID}`, 'one'), related(`ipv4-addr--${UUID}`, 'other')]
  const findings = await read(object('malware', { name: 'x', is_family: false }), one, other)
  assert.deepEqual(lossesIn(findings), [
    'objects[2]: another object with the same id and modification time; the one at objects[1] is used',
  ])
  const [malware] = entitiesIn(findings)
  assert.equal(malware?.kept?.find(({ id }) => id === `relationship--${UUID}`)?.object.description, 'one')
})

test('the whole document is checked before the first finding', async () => {
  const way = await wayOf('stix-2', documentOf(''), {})
  const text = bundle(object('malware', { name: 'x', is_family: false }), object('tool', { name: 'y' }))
  let opened = 0
  const counted = { ...documentOf(text), open: () => documentOf(text).open() }
  const findings = way.read({
    ...counted,
    open() {
      opened++
      return counted.open()
    },
  })
  assert.equal((await Array.fromAsync(findings)).length, 2)
  assert.ok(way.isWholeFirst)
  assert.equal(opened, 3)
  // A syntax error at the very end must prevent all findings, so that nothing of the document is stored.
  const broken = way.read(documentOf(text.slice(0, -1)))[Symbol.asyncIterator]()
  await assert.rejects(broken.next(), DocumentError)
})

test('unreferenced cyber observables with invalid values are reported', async () => {
  const findings = await read(
    { type: 'url', id: `url--${UUID}`, value: 'not a url' },
    { type: 'ipv4-addr', id: `ipv4-addr--${UUID}`, value: '999.1.1.1' },
    { type: 'file', id: `file--${UUID}`, hashes: { MD5: 'xyz', 'SHA-256': { a: 5 } }, name: 'a.exe' },
    { type: 'domain-name', id: `domain-name--${UUID}`, value: 'evil.example' },
  )
  const [entity] = entitiesIn(findings)
  assert.deepEqual(
    entity?.observables?.map(({ value }) => value),
    ['evil.example', 'a.exe'],
  )
  assert.deepEqual(
    lossesIn(findings).map((loss) => loss.split(' is no')[0]),
    ["hash-md5 'xyz'", 'hash-sha256 {"a":5}', "ipv4 '999.1.1.1'", "uri 'not a url'"].map((loss) => `objects: ${loss}`),
  )
})

test('a label that is too long for a tag is reported', async () => {
  const findings = await read(object('malware', { name: 'm', is_family: false, labels: ['x'.repeat(501), 'ok'] }))
  assert.deepEqual(entitiesIn(findings)[0]?.meta?.tags, ['ok'])
  assert.deepEqual(lossesIn(findings), [
    `objects[0]: labels: '${'x'.repeat(40)}…' exceeds 500 characters and is not used as a tag`,
  ])
})
