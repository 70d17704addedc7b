import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readable } from '../../test/set-up/archives.ts'
import { shipmentOf, shippedEntity, writtenBy } from '../../test/shipments.ts'
import { OFFERED_TYPES } from './formats.ts'
import { overridden } from './overridden.ts'
import type { ShippedRelationship } from './shipment.ts'
import { writeStix2 } from './stix2/write-stix2.ts'

const STRICT = 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003'
const GREEN = 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da'
const OWN_RED = 'marking-definition--0b7c4f8a-9a3e-4f0d-8f5c-0d1a2b3c4d5e'
const STATEMENT = 'marking-definition--1c8d5f9b-0b4f-4a1e-9a6d-1e2b3c4d5e6f'
const FILE = 'file--2f1d0e3c-4b5a-5c6d-8e7f-9a0b1c2d3e4f'

const marking = (id: string, definition: object) => ({
  id,
  object: { type: 'marking-definition', spec_version: '2.1', id, created: '2020-01-01T00:00:00.000Z', ...definition },
})

/** Every field that can contain a colour has one, each in its own form. */
const entity = shippedEntity({
  data: {
    id: 'indicator--4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11',
    type: 'indicator',
    title: 'Marked',
    object_marking_refs: [STRICT, OWN_RED, STATEMENT],
    granular_markings: [
      { marking_ref: OWN_RED, selectors: ['name'] },
      { marking_ref: STATEMENT, selectors: ['name'] },
    ],
    stix: { properties: { object_marking_refs: { said: [STRICT], made: [GREEN] } } },
    handling: [
      {
        marking_structures: [
          { marking_structure_type: 'tlp', color: 'RED' },
          { marking_structure_type: 'simple', statement: 'Ask first', color: 'RED' },
          { marking_structure_type: 'other', color: 'RED', xml: '<x color="RED"/>' },
        ],
      },
    ],
  },
  meta: { tlp_color: 'RED' },
  observables: [
    {
      id: 7,
      type: 'domain',
      value: 'a.example',
      meta: {},
      created_at: '2023-06-20T18:06:09.304097+00:00',
      last_updated_at: '2023-06-20T18:06:09.304097+00:00',
      sources: [],
      link_type: null,
    },
  ],
  kept: [
    marking(OWN_RED, { definition_type: 'tlp', definition: { tlp: 'red' } }),
    marking(STATEMENT, { definition_type: 'statement', definition: { statement: 'Ask first' } }),
    { id: FILE, object: { type: 'file', spec_version: '2.1', id: FILE, name: 'a.exe', object_marking_refs: [STRICT] } },
  ],
})

const relationship: ShippedRelationship = {
  id: '7b1d0e3c-4b5a-5c6d-8e7f-9a0b1c2d3e4f',
  data: { source: entity.data.id, target: entity.data.id, key: 'related-to', object_marking_refs: [STRICT] },
  source_type: 'indicator',
  target_type: 'indicator',
  meta: { tlp_color: 'AMBER' },
  sources: [],
  created_at: entity.created_at,
  last_updated_at: entity.last_updated_at,
  created: entity.created,
  modified: entity.modified,
}

const shipment = overridden(shipmentOf([entity], [relationship]), 'GREEN')

test('no format reveals another colour than the override', async () => {
  for (const { urn, write } of OFFERED_TYPES) {
    const { bytes } = await writtenBy(await write([]), shipment)
    const text = await readable(bytes)
    for (const told of ['RED', STRICT, OWN_RED, 'amber', 'AMBER', '"red"'])
      assert.ok(!text.includes(told), `${urn} tells ${told}: ${text}`)
    const before = await readable((await writtenBy(await write([]), shipmentOf([entity], [relationship]))).bytes)
    // Some formats have no place for colours.
    if (/RED|tlp:red|amber/i.test(before)) assert.match(text, new RegExp(`GREEN|tlp:green|${GREEN}`), urn)
  }
})

test('other markings than colours are kept', async () => {
  const [changed] = await Array.fromAsync(shipment.entities())
  assert.deepEqual(changed?.data.object_marking_refs, [STATEMENT, GREEN])
  assert.deepEqual(changed?.data.granular_markings, [{ marking_ref: STATEMENT, selectors: ['name'] }])
  assert.deepEqual(changed?.data.handling, [
    { marking_structures: [{ marking_structure_type: 'simple', statement: 'Ask first' }] },
  ])
  assert.deepEqual(changed?.data.stix, { properties: {} })
  assert.deepEqual(
    changed?.kept.map(({ id }) => id),
    [STATEMENT, FILE],
  )
})

test('the override NONE leaves no marking', async () => {
  const none = overridden(shipmentOf([entity], [relationship]), 'NONE')
  const { bytes } = await writtenBy(writeStix2, none)
  assert.ok(!/TLP|tlp/.test(bytes.toString()), bytes.toString())
})
