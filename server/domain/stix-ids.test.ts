import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeStixId, referencedIds, typeOfStixId } from './stix-ids.ts'

const UUID = '0d8a3c53-1d5b-4f0e-9c4e-6a4f5c3b2a10'
const OTHER = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'

const samples = join(import.meta.dirname, '..', '..', '..', 'shared', 'samples')
const skip = !existsSync(samples) && 'the samples are not here'

test('a STIX id is the namespace in braces, the type and the UUID', () => {
  assert.equal(makeStixId('https://corvus.example/', 'malware', UUID), `{https://corvus.example/}malware-${UUID}`)
})

test('the type is read from every form of id', () => {
  for (const id of [
    `{https://corvus.example/}intrusion-set-${UUID}`,
    `{}intrusion-set-${UUID}`,
    `example:intrusion-set-${UUID}`,
    `intrusion-set--${UUID}`,
    `intrusion-set-${UUID}`,
    `https://corvus.example/intrusion-set-${UUID}`,
    `{https://corvus.example/}Intrusion-SET--${UUID.toUpperCase()}`,
  ])
    assert.equal(typeOfStixId(id), 'intrusion-set', id)
})

test('a generated id contains the type it was generated for', () => {
  const type = fc.constantFrom('attack-pattern', 'exploit-target', 'custom-entity', 'ttp', 'vendor-sighting')
  fc.assert(
    fc.property(fc.string(), type, fc.uuid(), (namespace, name, uuid) => {
      assert.equal(typeOfStixId(makeStixId(namespace, name, uuid)), name)
    }),
  )
})

test('alternative type names are recognised', () => {
  const names = {
    'exploit-target': ['vulnerability', 'et', 'ExploitTarget', 'exploit-target'],
    note: ['note', 'opinion'],
    report: ['report', 'grouping'],
    'vendor-sighting': ['sighting', 'eclecticiq-sighting', 'vendor-sighting', 'observed-data'],
    'course-of-action': ['courseofaction', 'CourseOfAction', 'coa'],
    'threat-actor': ['threatactor', 'ThreatActor'],
    'custom-entity': ['x-mitre-asset', 'X-Thing', 'custom-entity'],
  }
  for (const [type, spellings] of Object.entries(names))
    for (const name of spellings) assert.equal(typeOfStixId(`example:${name}-${UUID}`), type, name)
})

test('ids of other objects than entities have no type', () => {
  const names =
    'marking-definition ipv4-addr file relationship bundle language-content ' +
    'extension-definition Package Observable constructor x- x indicator-1 2-indicator'
  for (const name of names.split(' ')) {
    assert.equal(typeOfStixId(`${name}--${UUID}`), undefined, name)
    assert.equal(typeOfStixId(`example:${name}-${UUID}`), undefined, name)
  }
  for (const id of ['', UUID, `-${UUID}`, `--${UUID}`, 'indicator', 'indicator-1', `indicator${UUID}`, `ttp-${UUID} `])
    assert.equal(typeOfStixId(id), undefined, id)
})

test('the references of a document are its refs and idrefs at any depth', () => {
  const data = {
    type: 'report',
    id: `{https://corvus.example/}report-${UUID}`,
    created_by_ref: `identity--${UUID}`,
    object_refs: [`malware--${UUID}`, `ipv4-addr--${UUID}`, `tool--${UUID}`, 7, null, [`note--${UUID}`]],
    object_marking_refs: [`marking-definition--${UUID}`],
    description: `malware--${OTHER}`,
    names: [`malware--${OTHER}`],
    information_source: { identity: { idref: `example:Identity-${OTHER}` }, id: `identity--${OTHER}` },
    extensions: [{ deep: { x_more_refs: [{ idref: `ttp-${OTHER}` }], other_ref: `malware--${UUID}` } }],
    ref: `malware--${OTHER}`,
  }
  assert.deepEqual(referencedIds(data), [
    `identity--${UUID}`,
    `malware--${UUID}`,
    `tool--${UUID}`,
    `note--${UUID}`,
    `example:Identity-${OTHER}`,
    `ttp-${OTHER}`,
  ])
})

test('a document does not reference itself', () => {
  const id = `indicator--${UUID}`
  assert.deepEqual(referencedIds({ id, self_ref: id, other_ref: `indicator--${OTHER}` }), [`indicator--${OTHER}`])
})

test('documents of any shape are read', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('idref', 'a_ref', 'a_refs', '__proto__', 'toString'))
  const leaf = fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.constant(`malware--${UUID}`))
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(leaf, fc.array(tie('node')), fc.dictionary(key, tie('node'))),
  })).node
  fc.assert(
    fc.property(fc.dictionary(key, tree), (data) => {
      const ids = referencedIds(data)
      assert.deepEqual(ids, ids.length > 0 ? [`malware--${UUID}`] : [])
    }),
  )
})

test('a circular document is handled', () => {
  const data: Record<string, unknown> = { a_ref: `malware--${UUID}` }
  data.one = data
  data.two = [data, data]
  assert.deepEqual(referencedIds(data), [`malware--${UUID}`])
})

test('a document with the maximum nesting depth is read completely', () => {
  let data: Record<string, unknown> = { idref: `malware--${UUID}` }
  for (let depth = 0; depth < 99; depth++) data = { data }
  assert.deepEqual(referencedIds(data), [`malware--${UUID}`])
})

test('the ids of a real STIX 2 bundle denote entities, except for markings and relationships', { skip }, () => {
  const { objects } = JSON.parse(readFileSync(join(samples, 'attack', 'ics-attack-18.1.stix21.json'), 'utf8'))
  const without = new Set<string>()
  for (const { id, type } of objects) if (!typeOfStixId(id)) without.add(type)
  assert.deepEqual([...without].sort(), ['marking-definition', 'relationship'])
})

test('the references of real STIX 1 documents denote entities, except for observables', { skip }, () => {
  const texts = globSync(join(samples, 'stix12', '*', '**', '*.xml')).map((file) => readFileSync(file, 'utf8'))
  const ids = texts.flatMap((text) => [...text.matchAll(/ idref="(\w+:[^"]+)"/g)].map(([, id = '']) => id))
  const without = ids.filter((id) => typeOfStixId(id) === undefined)
  assert.ok(ids.length > 40 && without.length < 12, `${without.length} of ${ids.length}`)
  for (const id of without) assert.match(id, /:observable-/i)
})
