import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64 } from '../../../../test/set-up/detonators.ts'
import { detailsOf } from '../../../../test/set-up/enrichers.ts'
import { corvus } from '../../../../test/set-up/scripted-sandbox.ts'

let counter = 0
const content = () => base64(`A requested program ${++counter}.`)

test('extracts are accepted as observables of the own source, with the verdict, linked with the entity of the sample', async () => {
  const detonator = await corvus.detonator()
  const entity = await corvus.ask('POST', 'entities', {
    data: { type: 'report', title: 'Origin' },
    meta: { tlp_color: 'GREEN' },
  })
  const attached = await corvus.ask('POST', 'entities/attachments', {
    filename: 'a.bin',
    data: content(),
    entities: [entity.id],
  })
  const [bad, unknown] = [`bad-${++counter}.example`, `unknown-${++counter}.example`]
  corvus.vendor.plan.report = () => ({
    extracts: [
      { kind: 'domain', value: bad, classification: 'bad', confidence: 'medium', link_type: null },
      { kind: 'domain', value: unknown, classification: 'unknown', confidence: 'low', link_type: null },
    ],
  })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, attachment: attached.id })
  await corvus.inState(made.id, ['FINISHED'])
  const path = `detonations/${made.id}/accept`
  const refused = await corvus.call('POST', path, { data: { extracts: [{ kind: 'domain', value: 'other.example' }] } })
  assert.deepEqual(detailsOf(refused), ['extracts[0]: is not among the extracts of this detonation'])
  const accepted = await corvus.ask('POST', path, {
    extracts: [
      { kind: 'domain', value: bad },
      { kind: 'domain', value: unknown },
    ],
  })
  assert.match(accepted.entity, new RegExp(`/entities/${entity.id}$`))
  assert.equal(accepted.observables.length, 2)
  const linked = await corvus.ask('GET', `observables?filter[entities]=${entity.id}`)
  assert.deepEqual(linked.map(({ value }: { value: string }) => value).sort(), [bad, unknown].sort())
  const { rows } = await corvus.pool.query(
    `select o.value, r.maliciousness, r.vis & 7 as rank
    from observable_records as r join observables as o on o.id = r.observable join sources as s on s.number = r.vis >> 3
    where s.type = 'group' and o.value = any($1) order by o.value`,
    [[bad, unknown]],
  )
  assert.deepEqual(rows, [
    { value: bad, maliciousness: 'medium', rank: 2 },
    { value: unknown, maliciousness: null, rank: 2 },
  ])
})
