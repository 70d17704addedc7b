import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../../test/effort.ts'
import { contributor, UNIFIED } from '../../../../test/set-up/contributors.ts'
import { arbitraryOf } from '../../../../test/set-up/schema-arbitrary.ts'
import { TLP } from '../../../domain/tlp.ts'
import type { Item } from '../../../engine/context.ts'
import { canonicalJson } from '../../../formats/stix2/canonical-json.ts'
import { entityData } from '../../../intelligence/entities/entity-data.ts'
import { entityMeta } from '../../../intelligence/entities/meta.ts'
import { composeUnified } from './compose-unified.ts'
import type { Choices, Contributor } from './contributor.ts'

const TYPES = [
  'identity',
  'infrastructure',
  'indicator',
  'intrusion-set',
  'location',
  'malware',
  'threat-actor',
  'tool',
  'exploit-target',
]

const aGroup = fc
  .constantFrom(...entityData.options.filter((option) => TYPES.includes(typeOf(option))))
  .chain((option) =>
    fc.tuple(
      fc.array(
        fc.record({
          data: arbitraryOf(option),
          meta: arbitraryOf(entityMeta),
          rank: fc.integer({ min: 0, max: 4 }),
          source: fc.integer({ min: 1, max: 3 }),
          day: fc.integer({ min: 1, max: 3 }),
          observables: fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
        }),
        { minLength: 2, maxLength: 5 },
      ),
      fc.constant(typeOf(option)),
    ),
  )
  .map(([all, type]) =>
    all
      .filter(({ data, meta }) => data !== undefined && meta !== undefined)
      .map(({ data, meta, rank, source, day, observables }, i) =>
        contributor('abcde'[i] ?? '', {
          data: data as Item,
          meta: { ...(meta as Item), taxonomies: [], attacks: [], tags: [], tlp_color: TLP[rank] },
          rank,
          source,
          type,
          modified: `2026-01-0${day}T00:00:00.000000+00:00`,
          observables: observables.map((id) => ({ id, linkType: null })),
        }),
      ),
  )
  .filter((all) => all.length > 1)

function typeOf(option: (typeof entityData.options)[number]): string {
  const { type } = option.shape
  return 'value' in type ? String(type.value) : ''
}

const someChoices: fc.Arbitrary<Choices> = fc.record({
  half_life_choice: fc.constantFrom('highest', 'lowest', 'latest', 'preferred_source'),
  tlp_choice: fc.constantFrom('highest', 'lowest', 'preferred_source'),
  preferred_source: fc.option(fc.integer({ min: 1, max: 3 })),
})

const runs = { numRuns: effort(2000, 60) }

test('random contributors in any order give the same bytes, which are valid data', () => {
  fc.assert(
    fc.property(
      aGroup,
      someChoices,
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (all, choices, random) => {
        const shuffled = all.map((one) => ({ one, at: random.next().value as number })).sort((a, b) => a.at - b.at)
        const composed = composeUnified(all, choices, UNIFIED)
        const again = composeUnified(
          shuffled.map(({ one }) => structuredClone(one)),
          choices,
          UNIFIED,
        )
        assert.equal(JSON.stringify(again), JSON.stringify(composed))
        assert.ok(entityData.safeParse(structuredClone(composed.data)).success, JSON.stringify(composed.data))
        assert.ok(entityMeta.safeParse(structuredClone(composed.meta)).success, JSON.stringify(composed.meta))
      },
    ),
    runs,
  )
})

test('a unified entity says nothing that its contributors do not say, and says it once', () => {
  fc.assert(
    fc.property(aGroup, someChoices, (all, choices) => {
      const { data, meta, observables } = composeUnified(all, choices, UNIFIED)
      const asContributor = {
        ...contributor('z'),
        data,
        meta,
        rank: Math.max(...all.map(({ rank }) => rank)),
        observables,
      }
      const twice = composeUnified([{ ...asContributor, type: all[0]?.type ?? '' } as Contributor], choices, UNIFIED)
      assert.equal(canonicalJson(twice.data), canonicalJson(data))
      assert.deepEqual(twice.observables, observables)
    }),
    runs,
  )
})

test('contributors above the colour do not influence a byte', () => {
  fc.assert(
    fc.property(aGroup, someChoices, (all, choices) => {
      const {
        provenance: { why_not, fields },
        ...composed
      } = composeUnified(all, choices, UNIFIED)
      const rest = all.filter(({ id }) => !Object.hasOwn(why_not, id))
      const { provenance, ...without } = composeUnified(rest, choices, UNIFIED)
      assert.equal(JSON.stringify(without), JSON.stringify(composed))
      assert.deepEqual(provenance.fields, fields)
    }),
    runs,
  )
})
