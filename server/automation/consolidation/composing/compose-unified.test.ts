import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contributor, UNIFIED } from '../../../../test/set-up/contributors.ts'
import type { Item } from '../../../engine/context.ts'
import { composeUnified } from './compose-unified.ts'
import type { Choices, Contributor } from './contributor.ts'

const CHOICES: Choices = { half_life_choice: 'highest', tlp_choice: 'highest', preferred_source: null }

const compose = (contributors: readonly Contributor[], choices: Partial<Choices> = {}) =>
  composeUnified(contributors, { ...CHOICES, ...choices }, UNIFIED)

/** Where the description comes from and why, with the rest being equal. */
function winner(first: Parameters<typeof contributor>[1], second: Parameters<typeof contributor>[1], choices = {}) {
  const make = (letter: string, given: Parameters<typeof contributor>[1] = {}) =>
    contributor(letter, { ...given, data: { description: letter, ...given.data } })
  const { data, provenance } = compose([make('a', first), make('b', second)], choices)
  return [data.description, provenance.fields['data.description']?.rule]
}

test('the preferred source comes first, then reliability, confidence, the latest change, the oldest, and the STIX id', () => {
  const later = '2026-02-01T00:00:00.000000+00:00'
  const [reliable, unreliable] = [{ source_reliability: 'A' }, { source_reliability: 'F' }].map((meta) => ({ meta }))
  assert.deepEqual(winner({ meta: { source_reliability: 'A' } }, {}, { preferred_source: 98 }), [
    'b',
    'preferred_source',
  ])
  assert.deepEqual(winner({ ...unreliable, data: { confidence: 'high' } }, reliable), ['b', 'reliability'])
  assert.deepEqual(winner({}, unreliable), ['b', 'reliability'])
  assert.deepEqual(winner({ modified: later }, { data: { confidence: 'high' } }), ['b', 'confidence'])
  assert.deepEqual(winner({}, { data: { confidence: { type: 'confidence', value: 'Low' } } }), ['b', 'confidence'])
  assert.deepEqual(winner({ data: { confidence: 'none' } }, {}), ['b', 'confidence'])
  assert.deepEqual(winner({}, { modified: later, created: later }), ['b', 'modified'])
  assert.deepEqual(winner({ created: later }, {}), ['b', 'created'])
  assert.deepEqual(winner({}, {}), ['a', 'stix_id'])
})

test('the first contributor with a value wins, and one that says nothing does not', () => {
  assert.deepEqual(winner({ data: { description: ' ' }, meta: { source_reliability: 'A' } }, {}), ['b', 'only'])
  assert.deepEqual(winner({ data: { description: 'b' } }, {}), ['b', 'agreed'])
})

test('lists are combined in one order, and names that differ in case are one', () => {
  const { data, meta, attacks, taxonomies, provenance } = compose([
    contributor('a', {
      data: {
        aliases: ['Heodo', 'Geodo'],
        labels: ['x'],
        kill_chain_phases: [{ kill_chain_name: 'k', phase_name: '2' }],
      },
      meta: { tags: ['b', 'a'], taxonomies: [9], attacks: ['S0367'] },
    }),
    contributor('b', {
      data: { aliases: ['HEODO'], kill_chain_phases: [{ phase_name: '1', kill_chain_name: 'k' }], labels: [] },
      meta: { tags: ['c', 'a'], taxonomies: [10, 9], attacks: [] },
    }),
  ])
  assert.deepEqual(data.aliases, ['Geodo', 'Heodo'])
  assert.deepEqual(data.kill_chain_phases, [
    { kill_chain_name: 'k', phase_name: '1' },
    { kill_chain_name: 'k', phase_name: '2' },
  ])
  assert.deepEqual(meta.tags, ['a', 'b', 'c'])
  assert.deepEqual([taxonomies, attacks], [[9, 10], ['S0367']])
  assert.deepEqual(provenance.fields['data.aliases'], { from: ['a', 'b'], rule: 'union' })
  assert.deepEqual(provenance.fields['data.labels'], { from: ['a'], rule: 'only' })
})

test('the titles of the others become aliases, and what analysts called them', () => {
  const { data, meta, titles } = compose([
    contributor('a', { meta: { source_reliability: 'A' }, data: { title: 'Emotet' } }),
    contributor('b', { data: { title: 'emotet', aliases: ['Emotet'] } }),
    contributor('c', { data: { title: 'Heodo' }, meta: { alias: 'Our bot' } }),
  ])
  assert.deepEqual([data.title, data.aliases, meta.alias], ['Emotet', ['Emotet', 'Heodo', 'Our bot'], 'Our bot'])
  assert.deepEqual(titles, ['Emotet', 'Heodo', 'Our bot', 'emotet'])
})

test('records are taken as wholes: of one vulnerability, what the first contributor says', () => {
  const says = (cvss: string, ...others: Item[]) => ({
    data: { vulnerabilities: [{ cve_id: 'CVE-2014-0160', cvss_score: { base_score: cvss } }, ...others] },
  })
  const { data } = compose([
    contributor('a', says('5.0', { description: 'x' })),
    contributor('b', { ...says('7.5'), meta: { source_reliability: 'A' } }),
  ])
  assert.deepEqual(data.vulnerabilities, [
    { cve_id: 'CVE-2014-0160', cvss_score: { base_score: '7.5' } },
    { description: 'x' },
  ])
})

test('properties that belong together come from one contributor', () => {
  const { data } = compose([
    contributor('a', { data: { title: 'A', description: 'plain' }, meta: { source_reliability: 'A' } }),
    contributor('b', {
      data: { title: 'B', name: 'B', lang: 'de', description: '<b>', description_structuring_format: 'html' },
    }),
  ])
  assert.deepEqual(
    [data.title, data.name, data.lang, data.description, data.description_structuring_format],
    ['A', undefined, undefined, 'plain', undefined],
  )
})

test('what began is as early, and what ended as late as any contributor says', () => {
  const { data, meta } = compose([
    contributor('a', {
      data: { first_seen: '2026-01-02T00:00:00Z', last_seen: '2026-01-03' },
      meta: {
        estimated_threat_start_time: '2026-01-02T00:00:00.000000+00:00',
        estimated_threat_end_time: null,
        estimated_observed_time: '2026-03-01T00:00:00.000000+00:00',
      },
    }),
    contributor('b', {
      data: { first_seen: '2026-01-02T00:30:00+01:00', last_seen: '2026-01-03T01:00:00+02:00' },
      meta: {
        estimated_threat_start_time: '2026-01-01T00:00:00.000000+00:00',
        estimated_threat_end_time: '2026-02-01T00:00:00.000000+00:00',
        estimated_observed_time: '2026-02-01T00:00:00.000000+00:00',
      },
    }),
  ])
  assert.deepEqual([data.first_seen, data.last_seen], ['2026-01-02T00:30:00+01:00', '2026-01-03'])
  assert.equal(meta.estimated_threat_start_time, '2026-01-01T00:00:00.000000+00:00')
  assert.equal(meta.estimated_threat_end_time, '2026-02-01T00:00:00.000000+00:00')
  assert.equal(meta.estimated_observed_time, '2026-02-01T00:00:00.000000+00:00')
})

test('the half-life follows the choice', () => {
  const contributors = [
    contributor('a', { meta: { half_life: 10 } }),
    contributor('b', { meta: { half_life: 30, source_reliability: 'A' } }),
    contributor('c', { meta: { half_life: 20 }, modified: '2026-02-01T00:00:00.000000+00:00' }),
  ]
  const halfLife = (choices: Partial<Choices>) => compose(contributors, choices).meta.half_life
  assert.equal(halfLife({ half_life_choice: 'highest' }), 30)
  assert.equal(halfLife({ half_life_choice: 'lowest' }), 10)
  assert.equal(halfLife({ half_life_choice: 'latest' }), 20)
  assert.equal(halfLife({ half_life_choice: 'preferred_source', preferred_source: 97 }), 10)
  // No contributor is of the source: the usual order counts.
  assert.equal(halfLife({ half_life_choice: 'preferred_source', preferred_source: 1 }), 30)
})

test('the colour follows the choice, and contributors above it contribute nothing', () => {
  const contributors = [
    contributor('a', { rank: 1, data: { labels: ['white'] }, observables: [{ id: 1, linkType: null }] }),
    contributor('b', { rank: 4, data: { labels: ['red'] }, observables: [{ id: 2, linkType: null }] }),
  ]
  const result = (choices: Partial<Choices>) => {
    const { meta, rank, data, observables, provenance } = compose(contributors, choices)
    return [meta.tlp_color, rank, data.labels, observables.map(({ id }) => id), Object.keys(provenance.why_not)]
  }
  assert.deepEqual(result({ tlp_choice: 'highest' }), ['RED', 4, ['red', 'white'], [1, 2], []])
  assert.deepEqual(result({ tlp_choice: 'lowest' }), ['WHITE', 1, ['white'], [1], ['b']])
  assert.deepEqual(result({ tlp_choice: 'preferred_source', preferred_source: 97 })[0], 'WHITE')
  assert.deepEqual(result({ tlp_choice: 'preferred_source', preferred_source: 1 })[0], 'RED')
  assert.equal(
    compose(contributors, { tlp_choice: 'lowest' }).provenance.why_not.b,
    'Its colour, RED, is more restrictive than that of the unified entity, WHITE.',
  )
  const none = [contributor('a', { meta: { tlp_color: null } }), contributor('b', { meta: { tlp_color: null } })]
  assert.equal(compose(none).meta.tlp_color, null)
})

test('the life of a contributor at its producer is not that of the unified entity', () => {
  const own = {
    created: '2020-01-01T00:00:00Z',
    modified: '2020-01-01T00:00:00Z',
    created_by_ref: 'identity--x',
    revoked: false,
    spec_version: '2.1',
    granular_markings: [{ selectors: ['description'] }],
    stix: { properties: ['name'] },
  }
  const markings = [
    // TLP:RED
    'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed',
    'marking-definition--11111111-1111-4111-8111-111111111111',
  ]
  const { data } = compose([contributor('a', { data: { ...own, object_marking_refs: markings } }), contributor('b')])
  assert.deepEqual(data, { id: UNIFIED, type: 'malware', title: 'Emotet', object_marking_refs: markings.slice(1) })
})

test('a link has the type that the contributors agree on', () => {
  const linked = (...types: (string | null)[]) => {
    const all = types.map((linkType, i) => contributor('abc'[i] ?? '', { observables: [{ id: 1, linkType }] }))
    return compose(all).observables[0]?.linkType
  }
  assert.deepEqual(
    [linked('sighted', 'sighted'), linked('sighted', null), linked('sighted', 'test', 'sighted'), linked(null, null)],
    ['sighted', 'sighted', null, null],
  )
})

test('lists have a limit, the first contributor is heard first, and what is left out is counted', () => {
  const names = (letter: string) => Array.from({ length: 6000 }, (_, i) => `${letter}${i}`)
  const { data, provenance } = compose([
    contributor('a', { data: { labels: names('a') } }),
    contributor('b', { data: { labels: names('b') }, meta: { source_reliability: 'A' } }),
  ])
  const labels = data.labels as string[]
  assert.equal(labels.length, 10_000)
  assert.equal(labels.filter((name) => name.startsWith('b')).length, 6000)
  assert.equal(provenance.fields['data.labels']?.left_out, 2000)
})
