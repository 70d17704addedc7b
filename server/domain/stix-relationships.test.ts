import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { typeOfStixId } from './stix-ids.ts'
import { isStrictStix1, isStrictStix2, strictKeys } from './stix-relationships.ts'

const samples = join(import.meta.dirname, '..', '..', '..', 'shared', 'samples')
const skip = !existsSync(samples) && 'the samples are not here'

/** Relationships that ATT&CK and DISARM add to the specification. */
const EXTRA = ['detects', 'revoked-by', 'subtechnique-of']

interface Relationship {
  readonly type: string
  readonly relationship_type: string
  readonly source_ref: string
  readonly target_ref: string
}

test('STIX 2.1 defines relationships by source, key and target', () => {
  assert.ok(isStrictStix2('indicator', 'indicates', 'malware'))
  assert.ok(isStrictStix2('malware', 'exfiltrate-to', 'infrastructure'))
  assert.ok(isStrictStix2('malware', 'exfiltrates-to', 'infrastructure'))
  assert.ok(isStrictStix2('threat-actor', 'attributed-to', 'identity'))
  assert.ok(!isStrictStix2('malware', 'indicates', 'indicator'))
  assert.ok(!isStrictStix2('indicator', 'uses', 'malware'))
  assert.ok(!isStrictStix2('indicator', 'indicates', 'report'))
  assert.ok(!isStrictStix2('attack-pattern', 'subtechnique-of', 'attack-pattern'))
  assert.ok(!isStrictStix2('indicator', 'Indicates', 'malware'))
})

test('an exploit target is a vulnerability in STIX 2.1', () => {
  assert.ok(isStrictStix2('malware', 'exploits', 'exploit-target'))
  assert.ok(isStrictStix2('course-of-action', 'remediates', 'exploit-target'))
  assert.ok(isStrictStix2('exploit-target', 'duplicate-of', 'exploit-target'))
})

test('the common relationships of STIX 2.1 are valid between any of its domain objects', () => {
  assert.ok(isStrictStix2('report', 'related-to', 'note'))
  assert.ok(isStrictStix2('report', 'derived-from', 'report'))
  assert.ok(!isStrictStix2('report', 'derived-from', 'note'))
  assert.ok(!isStrictStix2('malware', 'duplicate-of', 'tool'))
})

test('types that are not STIX 2.1 domain objects have no STIX 2.1 relationships', () => {
  for (const type of ['ttp', 'custom-entity', 'vendor-sighting', 'nothing', 'constructor', '']) {
    assert.ok(!isStrictStix2(type, 'related-to', 'malware'), type)
    assert.ok(!isStrictStix2('malware', 'related-to', type), type)
    assert.ok(!isStrictStix2(type, 'duplicate-of', type), type)
  }
})

test('a STIX 2.1 sighting states what was seen, by whom and where', () => {
  assert.ok(isStrictStix2('vendor-sighting', 'sighting-of', 'indicator'))
  assert.ok(isStrictStix2('vendor-sighting', 'sighting-of', 'exploit-target'))
  assert.ok(isStrictStix2('vendor-sighting', 'where-sighted', 'location'))
  assert.ok(!isStrictStix2('vendor-sighting', 'where-sighted', 'malware'))
  assert.ok(!isStrictStix2('vendor-sighting', 'sighting-of', 'ttp'))
  assert.ok(!isStrictStix2('indicator', 'sighting-of', 'vendor-sighting'))
})

test('STIX 1.2 defines relationships by source, key and target', () => {
  assert.ok(isStrictStix1('indicator', 'suggested-coas', 'course-of-action'))
  assert.ok(isStrictStix1('incident', 'coa-taken', 'course-of-action'))
  assert.ok(isStrictStix1('incident', 'attributed-threat-actors', 'threat-actor'))
  assert.ok(isStrictStix1('campaign', 'related-packages', 'report'))
  assert.ok(isStrictStix1('report', 'courses-of-action', 'course-of-action'))
  assert.ok(!isStrictStix1('ttp', 'indicated-ttps', 'indicator'))
  assert.ok(!isStrictStix1('indicator', 'indicated-ttps', 'malware'))
  assert.ok(!isStrictStix1('indicator', 'uses', 'ttp'))
  assert.ok(!isStrictStix1('indicator', 'related_indicators', 'indicator'))
  assert.ok(!isStrictStix1('constructor', 'name', 'ttp'))
})

test('a STIX 1.2 key is accepted in the singular too', () => {
  assert.ok(isStrictStix1('indicator', 'indicated-ttp', 'ttp'))
  assert.ok(isStrictStix1('threat-actor', 'associated-actor', 'threat-actor'))
  assert.ok(isStrictStix1('report', 'course-of-action', 'course-of-action'))
  assert.ok(!isStrictStix1('indicator', 'indicated-ttpss', 'ttp'))
})

test('every relationship in the STIX 1.2 schemas is known', { skip }, () => {
  const folder = join(samples, 'stix12', 'xsd', 'stix_1.2')
  const components: Record<string, string> = {
    Campaign: 'campaign',
    CampaignReference: 'campaign',
    CourseOfAction: 'course-of-action',
    ExploitTarget: 'exploit-target',
    Incident: 'incident',
    Indicator: 'indicator',
    PackageRefs: 'report',
    Report: 'report',
    ThreatActor: 'threat-actor',
    TTP: 'ttp',
  }
  let seen = 0
  for (const source of new Set(Object.values(components))) {
    const schema = readFileSync(join(folder, `${source.replaceAll('-', '_')}.xsd`), 'utf8')
    for (const [, element = '', name = ''] of schema.matchAll(/ name="(\w+)" type="stixCommon:Related(\w+)Type"/g)) {
      const target = components[name]
      // Only incidents wrap actors in elements with the name of the component.
      const key = source === 'incident' && element === 'Threat_Actor' ? 'attributed-threat-actors' : element
      if (!target) continue
      assert.ok(isStrictStix1(source, key.toLowerCase().replaceAll('_', '-'), target), `${source} ${element}`)
      seen++
    }
  }
  assert.ok(seen > 25, String(seen))
})

test('the relationships of real bundles are strict, except for known additions', { skip }, () => {
  const seen = { strict: 0, extra: 0 }
  for (const file of ['attack', 'disarm', 'stix21'].flatMap((name) => globSync(join(samples, name, '**', '*.json')))) {
    const { objects = [] } = JSON.parse(readFileSync(file, 'utf8')) as { objects?: Relationship[] }
    for (const { type, relationship_type: key, source_ref, target_ref } of objects) {
      const source = type === 'relationship' && typeOfStixId(source_ref)
      const target = type === 'relationship' && typeOfStixId(target_ref)
      if (!source || !target) continue
      const isExtra = EXTRA.includes(key) || target === 'custom-entity'
      assert.equal(isStrictStix2(source, key, target), !isExtra, `${source} ${key} ${target} in ${file}`)
      seen[isExtra ? 'extra' : 'strict']++
    }
  }
  assert.ok(seen.strict > 700 && seen.extra > 700, JSON.stringify(seen))
})

test('the keys between two types are the strict ones, with related-to as the last', () => {
  assert.deepEqual(strictKeys('indicator', 'malware'), ['indicates', 'related-to'])
  assert.deepEqual(strictKeys('malware', 'malware').at(-1), 'related-to')
  for (const key of strictKeys('malware', 'malware')) assert.ok(isStrictStix2('malware', key, 'malware'), key)
  assert.deepEqual(strictKeys('ttp', 'malware'), [])
})
