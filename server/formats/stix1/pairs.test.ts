import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, sampleFiles, skipWithoutSamples, testEachSample } from '../../../test/sample-files.ts'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { documentOf } from '../document.ts'
import type { FoundEntity } from '../finding.ts'
import { readStix1 } from './read/read-stix1.ts'

const pairs = join(SAMPLES, 'stix-pairs/elevator')
const names = sampleFiles(['stix-pairs/elevator/idioms-xml'], '.xml').map((file) => basename(file, '.xml'))

interface Stix2 {
  readonly id: string
  readonly type: string
  readonly name?: string
  readonly pattern?: string
}

async function pairOf(name: string) {
  const xml = readFileSync(join(pairs, 'idioms-xml', `${name}.xml`))
  const findings = await Array.fromAsync(readStix1(documentOf(xml, `${name}.xml`)))
  const entities = findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
  const relationships = findings.flatMap((finding) =>
    finding.kind === 'relationship' ? [finding.relationship.data] : [],
  )
  const { objects } = JSON.parse(readFileSync(join(pairs, 'idioms-json-2.1', `${name}.json`), 'utf8')) as {
    objects: Stix2[]
  }
  return { xml: xml.toString(), entities, relationships, objects }
}

const count = <T>(list: readonly T[], is: (item: T) => boolean): number => list.filter(is).length

/** Components that are separate objects in both formats. */
const SAME: readonly (readonly [ours: string, theirs: string])[] = [
  ['campaign', 'campaign'],
  ['course-of-action', 'course-of-action'],
  ['exploit-target', 'vulnerability'],
  ['incident', 'incident'],
  ['indicator', 'indicator'],
  ['threat-actor', 'threat-actor'],
]

/** We import a TTP as one entity. The converter splits it up and drops everything without a STIX 2 equivalent. */
const PARTS = ['attack-pattern', 'infrastructure', 'malware', 'tool']

function partsOf({ data }: FoundEntity): Record<string, unknown>[] {
  const { behavior, resources } = data as { behavior?: Record<string, unknown[]>; resources?: Record<string, unknown> }
  const lists = [behavior?.attack_patterns, behavior?.malware_instances, resources?.tools, resources?.infrastructure]
  return lists.flat().filter((part) => part !== undefined) as Record<string, unknown>[]
}

/** A package without a header becomes a report only to hold observables that belong to no other entity. */
const isContainer = (entity: FoundEntity, xml: string): boolean =>
  entity.data.type === 'report' && !xml.includes('<stix:STIX_Header') && !/[Rr]eport-/.test(String(entity.data.id))

testEachSample(names, 'has the objects, names and values of its converted twin', async (name) => {
  const { xml, entities, objects } = await pairOf(name)
  for (const { data } of entities) entityData.parse(structuredClone(data))

  for (const [ours, theirs] of SAME)
    assert.equal(
      count(entities, ({ data }) => data.type === ours),
      count(objects, ({ type }) => type === theirs),
      ours,
    )
  const reports = entities.filter((entity) => entity.data.type === 'report' && !isContainer(entity, xml))
  assert.equal(
    reports.length,
    count(objects, ({ type }) => type === 'report'),
    'report',
  )
  const parts = entities.flatMap(partsOf)
  assert.equal(
    parts.length,
    count(objects, ({ type }) => PARTS.includes(type)),
    'parts of TTPs',
  )

  // The converter keeps existing UUIDs, but generates new ones for the reports that it creates from packages.
  const said = JSON.stringify(entities)
  for (const { id } of objects) {
    const uuid = id.slice(-36)
    if (xml.includes(uuid)) assert.ok(said.includes(uuid) || CYBER_ONLY.test(id), id)
  }

  const titles = new Set(entities.map(({ data }) => data.title))
  for (const object of objects.filter(
    ({ type }) => SAME.some(([, theirs]) => theirs === type) || PARTS.includes(type) || type === 'report',
  ))
    if (object.name !== undefined) assert.ok(titles.has(object.name), object.name)

  const values = new Set(entities.flatMap(({ observables = [] }) => observables.map(({ value }) => value)))
  for (const [path, value] of objects.flatMap(valuesOf)) {
    const isFound =
      values.has(value) || [...values].some((one) => one.endsWith(`/${value}`) || one.startsWith(`${value}/`))
    // Values without an observable type are part of the retained XML.
    assert.ok(isFound || (!TYPED.test(path) && said.includes(value.slice(0, 40))), `${path} ${value}`)
  }
})

/** Observables and identities have no ids here, except in retained objects. */
const CYBER_ONLY = /^(?:identity|observed-data|relationship)--/

/** Paths whose values become observables rather than only being retained. */
const TYPED =
  /^(?:ipv4-addr|ipv6-addr|domain-name|url|mac-addr|email-addr):value|^file:(?:name|hashes)|from_ref|subject$|mutex:name|account_login|^autonomous-system:number/

/** Returns the values of an object, including those in its pattern, as text by path. */
function valuesOf(object: Stix2): [path: string, value: string][] {
  if (object.pattern !== undefined) {
    const comparisons = object.pattern.matchAll(/([a-z\d-]+:[\w.'[\]*-]+)\s*=\s*'((?:[^'\\]|\\.)*)'/g)
    return [...comparisons].map(([, path = '', value = '']) => [path, value.replaceAll('\\\\', '\\')])
  }
  const fields = object as unknown as Record<string, unknown>
  const plain = ['value', 'name', 'subject', 'account_login'].flatMap((field): [string, string][] =>
    typeof fields[field] === 'string' && CYBER.test(object.type)
      ? [[`${object.type}:${field}`, String(fields[field])]]
      : [],
  )
  const hashes = Object.values((fields.hashes ?? {}) as Record<string, string>)
  const number =
    object.type === 'autonomous-system'
      ? [['autonomous-system:number', `AS${String(fields.number)}`] as [string, string]]
      : []
  return [
    ...plain.filter(([path]) => path !== 'autonomous-system:name'),
    ...hashes.map((hash): [string, string] => ['file:hashes', hash]),
    ...number,
  ]
}

const CYBER =
  /^(?:autonomous-system|domain-name|email-addr|email-message|file|ipv4-addr|ipv6-addr|mac-addr|mutex|url|user-account)$/

test('relationships of the STIX 2 twin exist between the same components', { skip: skipWithoutSamples }, async () => {
  for (const name of names) {
    const { relationships, objects } = await pairOf(name)
    const edges = new Set(relationships.flatMap(({ source, target }) => [uuids(source, target), uuids(target, source)]))
    const known = new Set(
      objects
        .filter(({ type }) => ['campaign', 'course-of-action', 'indicator', 'threat-actor'].includes(type))
        .map(({ id }) => id),
    )
    for (const object of objects) {
      const { source_ref, target_ref } = object as unknown as { source_ref?: string; target_ref?: string }
      if (source_ref !== undefined && target_ref !== undefined && known.has(source_ref) && known.has(target_ref))
        assert.ok(edges.has(uuids(source_ref, target_ref)), `${name}: ${source_ref} ${target_ref}`)
    }
  }
})

const uuids = (one: string, other: string): string => `${one.slice(-36)} ${other.slice(-36)}`
