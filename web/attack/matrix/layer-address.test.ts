import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layerAddress } from './layer-address.ts'

const PARAMETERS = {
  matrix: 'ics-attack',
  entities: ['a', 'b'],
  query: 'loader',
  relations: true,
  by: 'recency',
  'filter[>=meta.estimated_threat_start_time]': '2026-01-01',
}

test('the layer of a matrix is of what the matrix shows, also in an analysis', () => {
  const own = 'query=loader&relations=true&by=recency&filter%5B%3E%3Dmeta.estimated_threat_start_time%5D=2026-01-01'
  assert.equal(
    layerAddress('gap', 'ICS gap', PARAMETERS, undefined),
    `/api/v2/attacks/layer?matrix=ics-attack&entities=a&entities=b&${own}&kind=gap&name=ICS+gap`,
  )
  assert.equal(layerAddress('gap', 'ICS gap', PARAMETERS, 7), `/api/v2/attack_analyses/7/layer?${own}&kind=gap`)
})
