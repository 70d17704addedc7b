import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeKey, isStrong, keyOf } from './keys.ts'
import { MAX_NAMES } from './names.ts'
import { subjectOf } from './subject.ts'

/** The keys of an entity with this data, or only its strong ones. */
const keysOf = (
  data: Record<string, unknown>,
  alias?: string,
  observables: readonly number[] = [],
): readonly string[] =>
  subjectOf({
    id: '1f0c3b1e-8a52-4d0c-9a0e-0f5f1f2a3b4c',
    stix_id: 'malware--1f0c3b1e-8a52-4d0c-9a0e-0f5f1f2a3b4c',
    type: String(data.type),
    source: 3,
    data,
    alias,
    observables,
  }).keys

const strongOf = (...given: Parameters<typeof keysOf>): string[] => keysOf(...given).filter(isStrong)

const cited = (...ids: string[]) => ids.map((external_id) => ({ source_name: 'mitre-attack', external_id }))

test('malware has keys of its ATT&CK id, its title, each pair of title and name, and each name', () => {
  const external_references = [...cited('S0367'), { source_name: 'Talos Emotet', url: 'https://example.com' }]
  const data = { type: 'malware', title: 'Emotet', x_mitre_aliases: ['Emotet', 'Geodo'], external_references }
  assert.deepEqual(keysOf(data), [
    'id:malware:attack:S0367',
    'name:malware:emotet',
    'name:malware:geodo',
    'name:malware:s0367',
    'names:malware:emotet|geodo',
    'title:malware:emotet',
  ])
})

test('names are collected from aliases, names, vendor fields, the alias of analysts, and records of older forms', () => {
  const data = {
    type: 'threat-actor',
    title: 'One',
    aliases: ['Two'],
    names: ['Three', { value: 'Four' }],
    x_mitre_aliases: ['Five'],
    x_opencti_aliases: ['Six', 7, null],
  }
  const names = keysOf(data, 'Eight').filter((key) => !isStrong(key))
  const expected = ['eight', 'five', 'four', 'one', 'six', 'three', 'two']
  assert.deepEqual(
    names,
    expected.map((name) => `name:threat-actor:${name}`),
  )
})

test('an entity has a limited number of names', () => {
  const aliases = Array.from({ length: MAX_NAMES + 50 }, (_, i) => `Alias ${i}`)
  const names = keysOf({ type: 'tool', title: 'Tool X', aliases }).filter((key) => !isStrong(key))
  assert.equal(names.length, MAX_NAMES)
  assert.ok(names.includes('name:tool:alias0') && !names.includes(`name:tool:alias${MAX_NAMES}`))
})

test('an entity with several ids of one scheme has none, and ids of other types do not count', () => {
  const strong = (type: string, ...ids: string[]) =>
    strongOf({ type, title: 'X-Agent', external_references: cited(...ids) })
  assert.deepEqual(strong('malware', 'S0001', 'S0002'), ['title:malware:xagent'])
  assert.deepEqual(strong('malware', 'S0001', 'S0001', 'T1059', 'G0007'), [
    'id:malware:attack:S0001',
    'title:malware:xagent',
  ])
  assert.deepEqual(strong('identity', 'G0007'), ['title:identity:xagent'])
  // Other catalogues continue the ids of ATT&CK.
  assert.deepEqual(strong('intrusion-set', 'G3004'), ['title:intrusion-set:xagent'])
})

test('a withdrawn ATT&CK entity has no ATT&CK id, because some were given to other things', () => {
  const data = { type: 'malware', title: 'EKANS', external_references: cited('S0017') }
  assert.ok(keysOf(data).includes('id:malware:attack:S0017'))
  assert.deepEqual(keysOf({ ...data, x_mitre_deprecated: true }), ['name:malware:ekans', 'title:malware:ekans'])
})

test('clusters of MISP galaxies have the ids of the catalogues that they are from', () => {
  const cluster = { type: 'intrusion-set', title: 'APT28 - G0007', aliases: ['Sofacy'] }
  assert.deepEqual(strongOf(cluster), [
    'id:intrusion-set:attack:G0007',
    'names:intrusion-set:apt28|sofacy',
    'title:intrusion-set:apt28',
  ])
  const galaxy = (type: string, meta: object) => ({ type: 'malware', title: 'Emotet', x_misp_galaxy: { type, meta } })
  assert.ok(strongOf(galaxy('mitre-malware', { external_id: 'S0367' })).includes('id:malware:attack:S0367'))
  assert.deepEqual(strongOf(galaxy('ransomware', { external_id: 'S0367' })), ['title:malware:emotet'])
  const url = 'https://malpedia.caad.fkie.fraunhofer.de/details/win.emotet'
  const citing = {
    external_references: [
      { source_name: 'misp-galaxy', url },
      { source_name: 'misp-galaxy', url: 'https://example.com' },
    ],
  }
  assert.ok(strongOf({ ...galaxy('malpedia', {}), ...citing }).includes('id:malware:malpedia:win.emotet'))
  assert.deepEqual(strongOf({ ...galaxy('ransomware', {}), ...citing }), ['title:malware:emotet'])
  const uuid = '8b1c5d5e-6e0f-4a8f-9d51-0d3a4f6c7e21'
  const listed = {
    type: 'tool',
    title: 'Net',
    external_references: [{ source_name: 'misp-galaxy', external_id: uuid }],
  }
  assert.ok(strongOf(listed).includes(`id:tool:misp:${uuid}`))
})

test('Malpedia ids of families and of actors do not mix', () => {
  const named = (type: string, external_id: string) =>
    strongOf({ type, title: 'Some Thing', external_references: [{ source_name: 'Malpedia', external_id }] }).filter(
      (key) => key.startsWith('id:'),
    )
  assert.deepEqual(named('malware', 'win.emotet'), ['id:malware:malpedia:win.emotet'])
  assert.deepEqual(named('malware', 'emotet'), [])
  assert.deepEqual(named('intrusion-set', 'apt28'), ['id:intrusion-set:malpedia:apt28'])
  assert.deepEqual(named('location', 'apt28'), [])
})

test('an exploit target is its set of CVEs, and its title alone says little', () => {
  const type = 'exploit-target'
  assert.deepEqual(keysOf({ type, title: 'CVE-2021-44228' }), [
    'id:exploit-target:cve:CVE-2021-44228',
    'name:exploit-target:cve2021.44228',
  ])
  const external_references = [{ source_name: 'cve', external_id: 'CVE-2021-45046' }]
  const vulnerabilities = [{ cve_id: 'cve-2021-44228' }, { cve_id: 'unknown' }, {}]
  const both = ['id:exploit-target:cve:CVE-2021-44228, CVE-2021-45046']
  assert.deepEqual(strongOf({ type, title: 'Log4Shell', external_references, vulnerabilities }), both)
  assert.deepEqual(strongOf({ type, title: 'Log4Shell (CVE-2021-45046, CVE-2021-44228)' }), both)
  assert.deepEqual(keysOf({ type, title: 'Log4Shell' }), ['name:exploit-target:log4shell'])
})

test('an indicator is its pattern, or its title with its observables', () => {
  const type = 'indicator'
  const one = { type, title: 'Emotet C2', pattern: "[ipv4-addr:value = '192.0.2.1']", pattern_type: 'stix' }
  const same = { ...one, title: 'Other', pattern: "[ ipv4-addr:value='192.0.2.1' ] // comment" }
  const [pattern = ''] = strongOf(one)
  assert.match(pattern, /^pattern:indicator:/)
  assert.deepEqual(strongOf(same), [pattern])
  assert.notDeepEqual(strongOf({ ...one, pattern: "[ipv4-addr:value = '192.0.2.2']" }), [pattern])
  assert.notDeepEqual(strongOf({ ...one, pattern_type: 'yara' }), [pattern])
  const observed = (title: string, ...observables: number[]) => strongOf({ type, title }, undefined, observables)
  assert.deepEqual(observed('Emotet C2', 2, 1), observed(' EMOTET  c2', 1, 2, 2))
  assert.notDeepEqual(observed('Emotet C2', 1), observed('Emotet C2', 1, 2))
  assert.notDeepEqual(observed('Emotet C2', 1), observed('Emotet', 1))
  assert.deepEqual(observed('Emotet C2'), [])
  assert.deepEqual(describeKey(observed('Emotet C2', 1)[0] ?? ''), { kind: 'content', value: 'emotet c2' })
})

test('a pattern that cannot be parsed is compared as it is', () => {
  const [pattern = ''] = strongOf({ type: 'indicator', title: 'X', pattern: '[ipv4-addr:value = "' })
  assert.match(pattern, /^pattern:indicator:stix/)
})

test('a country is its code, whatever it is called, and a city in it is not', () => {
  const place = (data: object) => strongOf({ type: 'location', ...data })
  assert.deepEqual(place({ title: 'France', country: 'FR' }), ['id:location:country:FR'])
  assert.deepEqual(place({ title: 'FRA', country: 'fra' }), ['id:location:country:FR'])
  const code = { country: 'RUS', x_opencti_location_type: 'Country' }
  assert.deepEqual(place({ title: 'Russian Federation', ...code }), ['id:location:country:RU'])
  for (const title of ['Russia', 'Russian Federation', 'The Russian Federation', 'RUS'])
    assert.deepEqual(place({ title, country: 'RU' }), ['id:location:country:RU'], title)
  assert.deepEqual(place({ title: 'Bolivia (Plurinational State of)', country: 'BO' }), ['id:location:country:BO'])
  assert.deepEqual(place({ title: 'Mexico City', country: 'MX' }), ['place:location:mexicocity (place mx)'])
  assert.deepEqual(place({ title: 'United States of America', country: 'US' }), ['id:location:country:US'])
  const galaxy = { type: 'country', meta: { ISO: 'RU' } }
  assert.deepEqual(place({ title: 'russia', x_misp_galaxy: galaxy }), ['id:location:country:RU'])
  assert.deepEqual(place({ title: 'Paris', country: 'FR' }), ['place:location:paris (place fr)'])
  assert.deepEqual(place({ title: 'Paris', country: 'FR', city: 'Paris' }), ['place:location:paris (city fr)'])
  assert.deepEqual(place({ title: 'Paris', country: 'US', city: 'Paris' }), ['place:location:paris (city us)'])
  assert.deepEqual(place({ title: 'Western Europe', region: 'western-europe' }), [
    'place:location:westerneurope (region)',
  ])
  assert.deepEqual(place({ title: 'Paris' }), [])
})

test('the title of a person is no strong key, and that of an organisation is', () => {
  const identity = { type: 'identity', title: 'John Smith' }
  assert.deepEqual(strongOf({ ...identity, identity_class: 'individual' }), [])
  assert.deepEqual(strongOf({ ...identity, identity_class: 'organization' }), ['title:identity:johnsmith'])
  assert.deepEqual(strongOf(identity), ['title:identity:johnsmith'])
})

test('names that mean nothing are no keys', () => {
  const empty = ['Unknown', 'n/a', '-', 'Windows', 'C2 server', 'x', '???', ' ']
  for (const title of empty) assert.deepEqual(keysOf({ type: 'infrastructure', title, aliases: empty }), [], title)
  assert.deepEqual(keysOf({ type: 'identity', title: 'Windows' }), ['name:identity:windows', 'title:identity:windows'])
})

test('titles of one source are compared with every character but not by case', () => {
  const titleOf = (title: string) =>
    subjectOf({ id: '', stix_id: '', type: 'tool', source: 1, data: { type: 'tool', title }, observables: [] }).title
  assert.notEqual(titleOf('???'), titleOf('-'))
  assert.notEqual(titleOf('APT 28'), titleOf('APT-28'))
  assert.equal(titleOf('APT 28'), titleOf(' apt  28'))
})

test('entities of other types have no keys', () => {
  assert.deepEqual(keysOf({ type: 'report', title: 'Emotet', external_references: cited('S0367') }), [])
})

test('keys are shorter than 200 characters, and differ where values do', () => {
  const long = `${'x'.repeat(99)}\u{1F600}${'y'.repeat(500)}`
  const [one, other] = [keyOf('title', 'exploit-target', long), keyOf('title', 'exploit-target', `${long}z`)]
  assert.ok(one.length < 200 && one.isWellFormed() && one !== other)
  const names = keysOf({ type: 'threat-actor', title: long, aliases: [`${long}z`] })
  assert.ok(names.every((key) => key.length < 200))
  const cves = Array.from({ length: 500 }, (_, i) => ({ cve_id: `CVE-2024-${1000 + i}` }))
  assert.ok(
    keysOf({ type: 'exploit-target', title: 'Patch day', vulnerabilities: cves }).every((key) => key.length < 200),
  )
})

test('users see kind and value of a key', () => {
  assert.deepEqual(describeKey('id:malware:attack:S0367'), { kind: 'id', value: 'S0367' })
  assert.deepEqual(describeKey('title:malware:emotet'), { kind: 'title', value: 'emotet' })
  assert.deepEqual(describeKey('names:malware:emotet|geodo'), { kind: 'names', value: 'emotet / geodo' })
  assert.deepEqual(describeKey('assigned:7'), { kind: 'assigned', value: '7' })
})
