import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AMBER, entitiesIn, entityOf, object, read, relationshipsIn, TIME, UUID } from '../../../test/stix-objects.ts'
import { comparable, exportOf, findingsOf } from '../../../test/stix-round-trip.ts'

test('cyber observables become observables of the entities that refer to them, and are kept with them', async () => {
  const message = {
    type: 'email-message',
    id: `email-message--${UUID}`,
    is_multipart: false,
    subject: 'Hi',
    from_ref: `email-addr--${UUID}`,
  }
  const from = { type: 'email-addr', id: `email-addr--${UUID}`, value: 'A@Example.com', x_own: 1 }
  const { observables, kept } = await entityOf(
    from,
    message,
    object('report', { name: 'x', object_refs: [message.id] }),
  )
  assert.deepEqual(observables, [
    { type: 'email-subject', value: 'Hi' },
    { type: 'email', value: 'a@example.com' },
  ])
  assert.deepEqual(kept, [
    { id: message.id, object: message },
    { id: from.id, object: from },
  ])
})

test('a sighting has the observables of its observed data', async () => {
  const address = { type: 'ipv4-addr', id: `ipv4-addr--${UUID}`, value: '198.51.100.1' }
  const observed = object('observed-data', {
    first_observed: TIME,
    last_observed: TIME,
    number_observed: 1,
    object_refs: [address.id],
  })
  const sighting = object('sighting', { sighting_of_ref: `malware--${UUID}`, observed_data_refs: [observed.id] })
  const findings = await read(sighting, observed, address)
  for (const entity of entitiesIn(findings))
    assert.deepEqual(entity.observables, [{ type: 'ipv4', value: '198.51.100.1' }])
  assert.deepEqual(
    relationshipsIn(findings).map(({ data: { source, key, target, stix_property } }) => [
      source,
      key,
      target,
      stix_property,
    ]),
    [
      [sighting.id, 'sighting-of', `malware--${UUID}`, 'sighting_of_ref'],
      [sighting.id, 'based-on', observed.id, 'observed_data_refs'],
    ],
  )
})

test('a relationship keeps its id and its properties', async () => {
  const sent = object('relationship', {
    relationship_type: 'Uses it!',
    source_ref: `malware--${UUID}`,
    target_ref: `tool--${UUID}`,
    description: 'd',
    start_time: '2020-01-01T00:00:00Z',
    x_own: 1,
  })
  const [relationship] = relationshipsIn(await read(sent))
  assert.equal(relationship?.id, UUID)
  const { stix, ...data } = relationship?.data ?? {}
  assert.deepEqual(data, {
    source: `malware--${UUID}`,
    target: `tool--${UUID}`,
    key: 'uses-it',
    description: 'd',
    created: TIME,
    modified: TIME,
    x_own: 1,
  })
  assert.deepEqual(relationship?.meta, { estimated_threat_start_time: '2020-01-01T00:00:00Z' })
})

test('a relationship with an observable is kept with the entity at its other end', async () => {
  const address = { type: 'ipv4-addr', id: `ipv4-addr--${UUID}`, value: '198.51.100.1' }
  const infrastructure = object('infrastructure', { name: 'x' })
  const relation = object('relationship', {
    relationship_type: 'consists-of',
    source_ref: infrastructure.id,
    target_ref: address.id,
  })
  const findings = await read(relation, infrastructure, address)
  assert.deepEqual(relationshipsIn(findings), [])
  const [entity] = entitiesIn(findings)
  assert.deepEqual(
    entity?.kept?.map(({ id }) => id),
    [relation.id, address.id],
  )
  assert.deepEqual(entity?.observables, [{ type: 'ipv4', value: '198.51.100.1' }])
})

test('a report holds unreferenced objects, and is the same for the same objects', async () => {
  const one = { type: 'domain-name', id: `domain-name--${UUID}`, value: 'a.example' }
  const two = { type: 'url', id: `url--${UUID}`, value: 'http://b.example/' }
  const [container, ...more] = entitiesIn(await read(one, two))
  assert.deepEqual(more, [])
  assert.equal(container?.data.title, 'a.example and 1 more')
  assert.deepEqual(
    container?.observables?.map(({ value }) => value),
    ['a.example', 'http://b.example/'],
  )
  const again = entitiesIn(await findingsOf(JSON.stringify([two, one])))[0]
  assert.equal(again?.data.id, container?.data.id)
})

test('an unreferenced marking is kept with an entity, also when reports hold unreferenced objects', async () => {
  const marking = {
    type: 'marking-definition',
    spec_version: '2.1',
    id: `marking-definition--${UUID}`,
    created: TIME,
    definition_type: 'statement',
    definition: { statement: 'x' },
  }
  const account = { type: 'user-account', id: `user-account--${UUID}`, user_id: 'a', object_marking_refs: [AMBER] }
  const other = { type: 'x509-certificate', id: `x509-certificate--${UUID}`, issuer: 'a' }
  const findings = await read(marking, object('vulnerability', { name: 'x' }), account, other)
  const { text } = await exportOf(findings)
  assert.deepEqual(comparable(await findingsOf(text)), comparable(findings))
  const bare = await read(marking, account, other)
  assert.deepEqual(comparable(await findingsOf((await exportOf(bare)).text)), comparable(bare))
})

test('objects that are more restricted than an entity are not kept with it', async () => {
  const secret = { type: 'domain-name', id: `domain-name--${UUID}`, value: 'a.example', object_marking_refs: [AMBER] }
  const [report, container] = entitiesIn(await read(secret, object('report', { name: 'x', object_refs: [secret.id] })))
  assert.deepEqual([report?.observables, report?.kept], [[], []])
  assert.equal(container?.meta?.tlp_color, 'AMBER')
  assert.deepEqual(
    container?.kept?.map(({ id }) => id),
    [secret.id],
  )
})

test('STIX 2.0 is upgraded to 2.1: labels become types, and objects inside observed data become separate objects', async () => {
  const { spec_version: _, ...old } = object('observed-data', {
    first_observed: TIME,
    last_observed: TIME,
    number_observed: 1,
    objects: {
      0: { type: 'file', name: 'a.exe', parent_directory_ref: '1' },
      1: { type: 'directory', path: '/tmp', contains_refs: ['0'] },
      2: { type: 'ipv4-addr', value: '198.51.100.3' },
    },
  })
  const { data, observables, kept } = await entityOf(old)
  assert.equal(data.objects, undefined)
  assert.deepEqual(
    observables?.map(({ value }) => value),
    ['a.exe', '/tmp', '198.51.100.3'],
  )
  // The id that the specification gives for this address.
  assert.deepEqual((data.object_refs as string[])[2], 'ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4')
  const [file, directory] = kept ?? []
  assert.equal(file?.object.parent_directory_ref, directory?.id)
  assert.deepEqual(directory?.object.contains_refs, [file?.id])
  const { spec_version: __, ...indicator } = object('indicator', { labels: ['benign'], pattern: "[file:name = 'a']" })
  const upgraded = (await entityOf(indicator)).data
  assert.deepEqual([upgraded.indicator_types, upgraded.pattern_type], [['benign'], 'stix'])
})

test('a cyber observable is kept unchanged, even with a timestamp that only domain objects have', async () => {
  const software = { type: 'software', id: `software--${UUID}`, name: 'a', created: TIME }
  const { kept } = await entityOf(object('report', { name: 'x', object_refs: [software.id] }), software)
  assert.deepEqual(
    kept?.map((each) => each.object),
    [software],
  )
})

test('chains of references do not multiply a document', async () => {
  const id = (n: number) => `process--${n.toString(16).padStart(8, '0')}${UUID.slice(8)}`
  const chain = Array.from({ length: 400 }, (_, n) => ({ type: 'process', id: id(n), pid: n, parent_ref: id(n + 1) }))
  const findings = await read(...chain, object('report', { name: 'x', object_refs: [id(0)] }))
  const kept = entitiesIn(findings).map((entity) => entity.kept?.length)
  assert.deepEqual(kept, [201, 199])
})
