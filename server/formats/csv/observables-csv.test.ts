import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shipmentOf, shippedEntity, writtenBy } from '../../../test/shipments.ts'
import { documentOf } from '../document.ts'
import { observableItems } from '../items/table-items.ts'
import { diffLine } from './diff-lines.ts'
import { readObservablesCsv } from './read-observables-csv.ts'
import { OBSERVABLES_HEAD, observableLines, writeObservablesCsv } from './write-observables-csv.ts'

const HEADER =
  'value,type,value_url,timestamp,source.ids,source.names,entity.id,entity.type,entity.title,meta.tlp,meta.terms_of_use,meta.ingest_time,meta.estimated_observed_time,meta.estimated_threat_start_time,meta.estimated_threat_end_time,meta.relevancy,meta.tags,meta.taxonomy,meta.source_reliability,meta.entity_url,calculated.tlp,calculated.relevancy,calculated.source_reliability,meta.classification,meta.confidence\r\n'

const observable = {
  id: 7,
  type: 'domain',
  value: 'example.com',
  meta: { maliciousness: 'high' },
  created_at: '2023-06-20T18:06:09.304097+00:00',
  last_updated_at: '2023-06-20T18:06:09.304097+00:00',
  sources: [{ id: '47ec245c-9e7b-467e-a016-77a22ff12dd5', name: 'Test Source', type: 'group' }],
  link_type: 'observed',
}

const shipment = shipmentOf([
  shippedEntity({
    data: {
      id: 'x',
      type: 'malware',
      title: 'Example',
      handling: [{ marking_structures: [{ color: 'RED' }, { terms_of_use: 'Ask, first' }] }],
    },
    meta: { tags: ['tag1', 'tag2'], source_reliability: 'A', tlp_color: 'GREEN' },
    taxonomy_paths: [['a', 'b'], ['c']],
    observables: [
      observable,
      { ...observable, id: 8, type: 'handle', value: '@evil', meta: { maliciousness: 'unknown' }, sources: [] },
    ],
  }),
  shippedEntity({
    id: '00000000-0000-4000-8000-000000000000',
    observables: [{ ...observable, meta: { maliciousness: 'safe' } }],
  }),
  shippedEntity({ observables: [] }),
])

test('the header and the formats of the values are exactly those that clients read', async () => {
  const { bytes } = await writtenBy(writeObservablesCsv, shipment)
  const lines = bytes.toString().split('\r\n')
  assert.equal(`${lines[0]}\r\n`, HEADER)
  assert.equal(
    lines[1],
    [
      'example.com,domain,https://corvus.example/api/v2/observables/7,2023-06-20 18:06:09.304097+00:00',
      '47ec245c-9e7b-467e-a016-77a22ff12dd5,Test Source,5e814485-012d-423d-b769-026bfed0f451,malware,Example,GREEN',
      '"Ask, first",2023-06-09T12:00:30.187097+00:00,2019-07-09T17:42:44.777000+00:00',
      '2022-05-11T14:00:00.188000+00:00,,0.68,tag1;tag2,a/b;c,A',
      'https://corvus.example/api/v2/entities/5e814485-012d-423d-b769-026bfed0f451,GREEN,0.68,A,bad,high',
    ].join(','),
  )
  assert.ok(lines[2]?.startsWith("'@evil,handle,"))
  assert.ok(lines[2]?.endsWith(',GREEN,0.68,A,,'))
  assert.match(lines[3] ?? '', /,Command server,NONE,,.*,NONE,0\.68,,good,$/)
  assert.deepEqual(lines.slice(4), [''])
})

test('the observables of a withdrawn entity are not in the table', async () => {
  const { meta, ...entity } = shippedEntity({ observables: [observable] })
  const withdrawn = { ...entity, meta: { ...meta, is_withdrawn: true } }
  const { bytes } = await writtenBy(writeObservablesCsv, shipmentOf([withdrawn]))
  assert.equal(bytes.toString(), HEADER)
  assert.deepEqual(await Array.fromAsync(observableItems(shipmentOf([withdrawn]), () => {})), [])
})

test('the table is read back as a report of its observables, without removed ones', async () => {
  const [first, second] = await Array.fromAsync(shipment.entities())
  assert.ok(first && second)
  const written = [
    diffLine.head(OBSERVABLES_HEAD),
    ...first.observables.map(observableLines(first, shipment)).map(diffLine.add),
    ...second.observables.map(observableLines(second, shipment)).map(diffLine.del),
  ]
  assert.equal(written[0], `diff,${HEADER}`)
  assert.ok(written[1]?.startsWith('add,example.com,domain,'))
  assert.ok(written[3]?.startsWith('del,example.com,domain,'))
  const findings = await Array.fromAsync(readObservablesCsv(documentOf(written.join(''), 'feed.csv')))
  assert.partialDeepStrictEqual(findings, [
    { kind: 'withdrawn', at: 'line 4', observable: { type: 'domain', value: 'example.com' } },
    {
      kind: 'entity',
      entity: {
        data: { type: 'report', title: 'feed.csv' },
        observables: [
          { type: 'domain', value: 'example.com', maliciousness: 'high' },
          { type: 'handle', value: '@evil' },
        ],
      },
    },
  ])
})
