import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { effort } from '../../../test/effort.ts'
import { type EnrichmentRules, startEnrichmentRules } from '../../../test/set-up/enrichment-rules.ts'

let corvus: EnrichmentRules
before(async () => {
  corvus = await startEnrichmentRules()
})
after(() => corvus.stop())

const TYPES = ['report', 'malware', 'tool'] as const
const COLOURS = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'] as const

interface Place {
  /** Null for what a source says itself. */
  readonly type: (typeof TYPES)[number] | null
  readonly source: number
  readonly colour: (typeof COLOURS)[number]
}

interface Criterion {
  readonly entity_type: (typeof TYPES)[number] | null
  readonly source: number | null
  readonly tlp: (typeof COLOURS)[number] | null
  readonly without_tlp: boolean
}

/** What the specification says, for one rule and one place of an observable. */
const wants = (criteria: readonly Criterion[], { type, source, colour }: Place): boolean =>
  criteria.length === 0 ||
  criteria.some(
    (criterion) =>
      (criterion.entity_type === null || criterion.entity_type === type) &&
      (criterion.source === null || criterion.source === source) &&
      (criterion.without_tlp || criterion.tlp === null || criterion.tlp === colour),
  )

const SOURCES = 3

const criteria = fc.array(
  fc.record<Criterion>({
    entity_type: fc.option(fc.constantFrom(...TYPES)),
    source: fc.option(fc.nat(SOURCES - 1)),
    tlp: fc.option(fc.constantFrom(...COLOURS)),
    without_tlp: fc.boolean(),
  }),
  { maxLength: 3 },
)

const place = fc.record<Place>({
  type: fc.option(fc.constantFrom(...TYPES), { freq: 5 }),
  source: fc.nat(SOURCES - 1),
  colour: fc.constantFrom(...COLOURS),
})

test('rules find what a naive model finds, among new and existing data, each with the sight of its owner', async () => {
  const { id: admin } = await corvus.ask('GET', 'users/self')
  const groups = []
  for (let i = 0; i < SOURCES; i++)
    groups.push(await corvus.ask('POST', 'groups', { name: `Group ${i}`, users: [admin] }))
  const sources: string[] = groups.map(({ source }) => source)
  const near = await corvus.personIn(
    'Near',
    ['modify enrichment-rules', 'modify enrichments', 'read entities', 'read extracts'],
    [`${sources[0]}?allowed_tlp=GREEN`, `${sources[1]}?allowed_tlp=RED`],
  )
  const limits = [COLOURS.indexOf('GREEN'), COLOURS.indexOf('RED'), -1]
  const sees = (token: string, { source, colour }: Place) =>
    token === corvus.admin || COLOURS.indexOf(colour) <= (limits[source] ?? -1)

  const rules = []
  for (const given of fc.sample(criteria, effort(200, 24))) {
    const token: string = rules.length % 3 === 2 ? near.token : corvus.admin
    const enricher = await corvus.enricher({ supported_observable_types: ['domain'], max_tlp: 'RED' })
    const sent = given.map((each) => ({ ...each, source: each.source === null ? null : sources[each.source] }))
    const body = { criteria: sent, enrichers: [enricher.id] }
    rules.push({ given, token, enricher: enricher.id, body, saved: await corvus.rule(body, token) })
    await setImmediate()
  }
  const places = fc.sample(place, effort(200, 24))
  // Several entities have the same observable, of which an owner may see only some.
  const valueAt = ({ type }: Place, i: number) =>
    type === null ? `own-${i}.example` : `shared-${i % Math.ceil(places.length / 3)}.example`
  for (const [i, each] of places.entries()) {
    const { type, source, colour } = each
    const value = valueAt(each, i)
    const owner = { sources: [sources[source]], meta: { tlp_color: colour } }
    if (type !== null) await corvus.entity([value], { ...owner, data: { type, title: `Entity ${i}` } })
    // What a source says without an entity has no colour.
    else await corvus.observable(value, { sources: [sources[source]] })
    await setImmediate()
  }
  await corvus.follow()
  const known = places.map((each) => (each.type === null ? { ...each, colour: 'NONE' as const } : each))
  for (const { given, token, enricher, body } of rules) {
    const found = known.flatMap((each, i) => (sees(token, each) && wants(given, each) ? [valueAt(each, i)] : []))
    const expected = [...new Set(found)]
    const message = JSON.stringify(given)
    assert.deepEqual(await corvus.queued(enricher), expected.sort(), message)
    const preview = await corvus.ask('POST', 'enrichment-rules/preview', body, token)
    assert.equal(preview.observables, expected.length, message)
    assert.equal(preview.enrichers[0].look_ups, expected.length, message)
  }
})
