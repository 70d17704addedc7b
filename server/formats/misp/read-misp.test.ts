import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { entityMeta } from '../../intelligence/entities/meta.ts'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding, FoundEntity } from '../finding.ts'
import { readMisp } from './read-misp.ts'

const EVENT = '5a0c1b2e-7d3f-4b7e-9f30-1f2d3c4b5a69'
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

async function read(given: unknown): Promise<Finding[]> {
  const findings = await Array.fromAsync(readMisp(documentOf(JSON.stringify(given))))
  for (const finding of findings) {
    if (finding.kind !== 'entity') continue
    entityData.parse(finding.entity.data)
    entityMeta.parse(finding.entity.meta ?? {})
  }
  return findings
}

const entitiesIn = (findings: readonly Finding[]): FoundEntity[] =>
  findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))

const eventOf = (more: object = {}) => ({
  Event: {
    uuid: EVENT,
    info: 'Phishing of banks',
    date: '2024-01-29',
    timestamp: '1706514127',
    threat_level_id: '1',
    ...more,
  },
})

const reportOf = async (more: object): Promise<FoundEntity> =>
  entitiesIn(await read(eventOf(more))).find(({ data }) => data.type === 'report') ?? assert.fail()

const observablesOf = async (...attributes: object[]) => {
  const { observables } = await reportOf({ Attribute: attributes.map((one, i) => ({ uuid: uuid(i), ...one })) })
  return observables?.map(({ type, value }) => `${type} ${value}`)
}

test('an event becomes a report', async () => {
  const report = await reportOf({
    analysis: '2',
    published: true,
    publish_timestamp: '1706600527',
    Orgc: { name: 'CIRCL', uuid: uuid(1) },
    Tag: [{ name: 'tlp:green' }, { name: 'osint:source-type="blog-post"' }],
    Attribute: [{ uuid: uuid(2), type: 'domain', value: 'a.example', to_ids: true }],
  })
  assert.deepEqual(report, {
    data: {
      type: 'report',
      id: `report--${EVENT}`,
      title: 'Phishing of banks',
      description: 'Threat level: High\nAnalysis: Completed',
      created: '2024-01-29T00:00:00.000000+00:00',
      modified: '2024-01-29T07:42:07.000000+00:00',
      timestamp: '2024-01-29T07:42:07.000000+00:00',
      published: '2024-01-30T07:42:07.000000+00:00',
      information_source: { type: 'information-source', identity: { type: 'identity', name: 'CIRCL' } },
      x_misp_event: {
        uuid: EVENT,
        date: '2024-01-29',
        threat_level_id: '1',
        analysis: '2',
        published: true,
        publish_timestamp: '1706600527',
      },
    },
    meta: {
      tags: ['osint:source-type="blog-post"'],
      tlp_color: 'GREEN',
      estimated_threat_start_time: '2024-01-29T00:00:00.000000+00:00',
      estimated_observed_time: '2024-01-29T00:00:00.000000+00:00',
    },
    observables: [{ type: 'domain', value: 'a.example', maliciousness: 'high' }],
    attachments: [],
  })
})

test('single events, lists of events and search results are read', async () => {
  const event = eventOf()
  for (const given of [event, event.Event, [event, eventOf({ uuid: uuid(1) })], { response: [event] }]) {
    assert.ok((await read(given)).every(({ kind }) => kind === 'entity'))
  }
  const answer = {
    response: { Attribute: [{ type: 'ip-dst', value: '192.0.2.1', Event: { info: 'x' } }, { value: '?' }] },
  }
  assert.deepEqual(
    (await read(answer)).map(({ kind, at }) => `${kind} ${at}`),
    ['observable Attribute[0]', 'lost Attribute[1]'],
  )
})

test('composite values are split', async () => {
  const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
  assert.deepEqual(
    await observablesOf(
      { type: 'filename|md5', value: `a|b.exe|${md5}` },
      { type: 'ip-dst|port', value: '192.0.2.1|443' },
      { type: 'domain|ip', value: 'a.example|2001:db8::1' },
      { type: 'hostname|port', value: 'www.a.example|8080' },
      { type: 'regkey|value', value: 'HKLM\\Software\\Run|a|b' },
      { type: 'ip-src', value: '198.51.100.0/24' },
      { type: 'AS', value: '64496' },
      { type: 'vulnerability', value: 'CVE-2024-0001' },
      { type: 'x509-fingerprint-sha1', value: 'a'.repeat(40) },
    ),
    [
      'file a|b.exe',
      `hash-md5 ${md5}`,
      'ipv4 192.0.2.1',
      'port 443',
      'domain a.example',
      'ipv6 2001:db8::1',
      'domain www.a.example',
      'port 8080',
      'winregistry HKEY_LOCAL_MACHINE\\Software\\Run',
      'ipv4-cidr 198.51.100.0/24',
      'asn AS64496',
      'cve CVE-2024-0001',
      `certificate-hash ${'a'.repeat(40)}`,
    ],
  )
})

test('only attributes for detection are malicious, according to the threat level of the event', async () => {
  const attributes = [
    { type: 'domain', value: 'a.example', to_ids: false },
    { type: 'domain', value: 'b.example', to_ids: '1' },
    { type: 'url', value: 'http://b.example/', to_ids: true },
    { type: 'domain', value: 'a.example', to_ids: true },
  ]
  for (const [threat, level] of [
    ['1', 'high'],
    ['3', 'low'],
    ['4', 'medium'],
  ]) {
    const { observables } = await reportOf({ threat_level_id: threat, Attribute: attributes })
    assert.deepEqual(
      observables?.map(({ maliciousness }) => maliciousness),
      [level, level, level],
    )
  }
})

test('the strictest colour of an event and its attributes applies to everything', async () => {
  const attribute = (tag: string) => ({ type: 'domain', value: 'a.example', Tag: [{ name: tag }] })
  const colour = async (...tags: string[]) =>
    (await reportOf({ Tag: [{ name: tags[0] }], Attribute: tags.slice(1).map(attribute) })).meta?.tlp_color
  assert.equal(await colour('tlp:amber', 'tlp:amber+strict', 'tlp:green'), 'AMBER_STRICT')
  assert.equal(await colour('tlp:amber+strict', 'tlp:red'), 'RED')
  assert.equal(await colour('TLP:CLEAR'), 'CLEAR')
  assert.equal(await colour('osint'), undefined)
})

test('the context of attributes and objects is kept, and links and texts are imported', async () => {
  const report = await reportOf({
    Attribute: [
      {
        uuid: uuid(1),
        type: 'domain',
        value: 'a.example',
        comment: 'C2',
        Sighting: [{ type: '0', date_sighting: '1' }],
      },
      { uuid: uuid(2), type: 'domain', value: 'b.example', comment: '', Tag: [] },
      { uuid: uuid(3), type: 'link', value: 'https://blog.example/a', comment: 'Blog' },
      { uuid: uuid(4), type: 'comment', value: 'Beware.' },
      { uuid: uuid(5), type: 'windows-service-name', value: 'evilsvc' },
    ],
    Object: [
      {
        uuid: uuid(6),
        name: 'file',
        comment: 'Dropper',
        ObjectReference: [{ referenced_uuid: uuid(1), relationship_type: 'connects-to' }],
        Attribute: [{ uuid: uuid(7), object_relation: 'md5', type: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' }],
      },
    ],
  })
  assert.deepEqual(
    report.observables?.map(({ type }) => type),
    ['domain', 'domain', 'hash-md5'],
  )
  assert.deepEqual(report.data.external_references, [
    { source_name: 'misp', url: 'https://blog.example/a', description: 'Blog' },
  ])
  assert.match(String(report.data.description), /Beware\.$/)
  assert.partialDeepStrictEqual(report.data, {
    x_misp_attributes: [{ uuid: uuid(1), comment: 'C2', Sighting: [{}] }, { type: 'windows-service-name' }],
    x_misp_objects: [{ name: 'file', comment: 'Dropper', Attribute: [{ uuid: uuid(7), object_relation: 'md5' }] }],
  })
})

test('files are imported unchanged', async () => {
  const data = Buffer.from('PK').toString('base64')
  const value = 'evil.exe|d41d8cd98f00b204e9800998ecf8427e'
  const { attachments, observables } = await reportOf({
    Attribute: [
      { type: 'malware-sample', value, data },
      { type: 'attachment', value: 'screen.png', data },
    ],
  })
  assert.deepEqual(attachments, [
    { filename: 'evil.exe.zip', bytes: Buffer.from('PK') },
    { filename: 'screen.png', bytes: Buffer.from('PK') },
  ])
  assert.deepEqual(
    observables?.map(({ value: one }) => one),
    ['evil.exe', 'd41d8cd98f00b204e9800998ecf8427e', 'screen.png'],
  )
})

test('event reports become notes, and deleted or proposed parts are omitted and reported', async () => {
  const findings = await read(
    eventOf({
      EventReport: [
        { uuid: uuid(1), name: 'Summary', content: '# What', timestamp: '1706514127' },
        { uuid: uuid(2), name: 'Old', content: '', deleted: true },
      ],
      Attribute: [
        { type: 'domain', value: 'a.example', deleted: true },
        { type: 'domain', value: 'b.example', ShadowAttribute: [{}] },
        { type: 'ip-dst', value: 'nonsense', uuid: uuid(3) },
      ],
      Object: [{ deleted: '1', Attribute: [] }],
    }),
  )
  const [report, note, lost] = findings
  assert.ok(report?.kind === 'entity')
  assert.deepEqual(report.losses, [
    `attribute ${uuid(3)} (ip-dst): 'nonsense' is none of ipv4, ipv6, ipv4-cidr, ipv6-cidr, inetnum`,
    '2 deleted attributes and objects are omitted',
    '1 proposals are omitted',
  ])
  assert.partialDeepStrictEqual(note, {
    entity: {
      data: { id: `note--${uuid(1)}`, title: 'Summary', content: '# What', object_refs: [`report--${EVENT}`] },
    },
  })
  assert.deepEqual(lost, { kind: 'lost', at: 'Event.EventReport[1]', losses: ['this text was deleted'] })
})

test('documents that are not events are rejected by name', async () => {
  const refused = (given: unknown, reason: RegExp) =>
    assert.rejects(read(given), (error) => error instanceof DocumentError && reason.test(error.message))
  await refused({ [EVENT]: { info: 'x', Orgc: {}, date: '2024-01-29' } }, /manifest of a MISP feed/)
  await refused({ anything: 1 }, /no readable MISP events/)
  await refused([], /no readable MISP events/)
  assert.partialDeepStrictEqual(await read([5, { Event: { info: 'x' } }, eventOf()]), [
    { kind: 'lost', at: '[0]', losses: ['not an event'] },
    { kind: 'lost', at: '[1]', losses: ['the event has no uuid'] },
    { kind: 'entity', at: '[2]' },
  ])
})

test('a document with only invalid events is rejected with the reason', async () => {
  for (const [event, reason] of [
    [{ info: 'x' }, /the event has no uuid/],
    [{ uuid: EVENT }, /neither info nor attributes/],
    [{ uuid: EVENT, info: 'x', Attribute: 'none' }, /'Attribute' of the event is not a list/],
    ['x', /no readable MISP events/],
  ] as const) {
    await assert.rejects(Array.fromAsync(readMisp(documentOf(JSON.stringify({ Event: event })))), (error: Error) => {
      assert.ok(error instanceof DocumentError)
      assert.match(error.message, reason)
      return true
    })
  }
})

test('only attributes for detection are as malicious as the threat level of the event', async () => {
  const { observables } = await reportOf({
    threat_level_id: '3',
    Attribute: [
      { uuid: uuid(1), type: 'domain', value: 'seen.example', to_ids: false },
      { uuid: uuid(2), type: 'domain', value: 'bad.example', to_ids: true },
      { uuid: uuid(3), type: 'domain', value: 'silent.example' },
    ],
  })
  assert.deepEqual(
    observables?.map(({ value, maliciousness }) => [value, maliciousness]),
    [
      ['seen.example', 'unknown'],
      ['bad.example', 'low'],
      ['silent.example', 'unknown'],
    ],
  )
})
