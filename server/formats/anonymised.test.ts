import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readable } from '../../test/set-up/archives.ts'
import { shipmentOf, shippedAttachment, shippedEntity, writtenBy } from '../../test/shipments.ts'
import { AnonymisationError, anonymised } from './anonymised.ts'
import { OFFERED_TYPES } from './formats.ts'

const source = { id: '9f7c2c0e-3d1c-4a8e-8f57-0d3c3c1a2b4d', name: 'Acme SOC', type: 'group' }

const entity = shippedEntity({
  data: {
    id: 'indicator--4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11',
    type: 'indicator',
    title: 'Seen at Acme',
    description: 'Acme was hit; "Acme, Inc."',
    external_references: [{ source_name: 'Acme', external_id: 'Acme-7' }],
    stix: { properties: { description: { said: 'Acme was hit', made: 'Acme was hit' } } },
  },
  meta: { tags: ['Acme', 'apt'], alias: 'Acme case', tlp_color: 'RED' },
  taxonomy_paths: [['Customers', 'Acme']],
  sources: [source],
  observables: [
    {
      id: 7,
      type: 'domain',
      value: 'mail.Acme.example',
      meta: { maliciousness: 'high' },
      created_at: '2023-06-20T18:06:09.304097+00:00',
      last_updated_at: '2023-06-20T18:06:09.304097+00:00',
      sources: [source],
      link_type: 'observed',
    },
  ],
  attachments: [shippedAttachment('Acme.txt', Buffer.from('nothing here'))],
  kept: [
    {
      id: 'file--2f1d0e3c-4b5a-5c6d-8e7f-9a0b1c2d3e4f',
      object: { type: 'file', id: 'file--2f1d0e3c-4b5a-5c6d-8e7f-9a0b1c2d3e4f', name: 'Acme.exe' },
    },
  ],
})

const shipment = shipmentOf([entity])

test('a replaced name occurs in no format any more', async () => {
  const changed = anonymised(shipment, [{ find: 'Acme', replace: '$& Victim' }])
  for (const { urn, write } of OFFERED_TYPES) {
    const plain = await writtenBy(await write([]), shipment)
    const { bytes } = await writtenBy(await write([]), changed)
    assert.ok((await readable(plain.bytes)).includes('Acme'), urn)
    assert.ok(!(await readable(bytes)).includes('Acme'), `${urn}: ${bytes}`)
  }
})

test('replacements are applied one after the other, in order', async () => {
  const changed = anonymised(shipment, [
    { find: 'Seen at', replace: 'Acme at' },
    { find: 'Acme', replace: 'X' },
    { find: '', replace: 'never' },
  ])
  const [first] = await Array.fromAsync(changed.entities())
  assert.equal(first?.data.title, 'X at X')
  assert.deepEqual(first?.taxonomy_paths, [['Customers', 'X']])
})

test('ids, types, keys, colours and times are unchanged', async () => {
  const rules = ['indicator', 'domain', 'RED', '2022', '4f0d2b1e', 'observed', 'high'].map((find) => ({
    find,
    replace: 'x',
  }))
  const [first] = await Array.fromAsync(anonymised(shipment, rules).entities())
  assert.deepEqual([first?.id, first?.data.id, first?.data.type], [entity.id, entity.data.id, 'indicator'])
  assert.equal(first?.meta.tlp_color, 'RED')
  assert.equal(first?.meta.estimated_threat_start_time, entity.meta.estimated_threat_start_time)
  assert.deepEqual([first?.observables[0]?.type, first?.observables[0]?.link_type], ['domain', 'observed'])
  assert.equal(first?.observables[0]?.meta.maliciousness, 'high')
})

test('an observable that becomes empty is not exported', async () => {
  const [first] = await Array.fromAsync(anonymised(shipment, [{ find: 'mail.Acme.example', replace: '' }]).entities())
  assert.deepEqual(first?.observables, [])
})

test('replacements that feed each other end with an error instead of exhausting memory', async () => {
  const doubling = Array.from({ length: 60 }, () => ({ find: 'c', replace: 'cc' }))
  await assert.rejects(Array.fromAsync(anonymised(shipment, doubling).entities()), AnonymisationError)
})
