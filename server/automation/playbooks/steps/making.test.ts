import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  act,
  ask,
  corvus,
  countOf,
  entity,
  hiddenEntity,
  idsIn,
  makeEntity,
  observable,
  ownerWith,
  resume,
} from '../../../../test/set-up/steps.ts'
import { until } from '../../../../test/until.ts'
import { createEntity } from './create-entity.ts'
import { exportStep } from './export.ts'
import { extract } from './extract.ts'

before(() => corvus.startProcess())

const incident = { type: 'incident', title: 'Incident about {title}' }

test('observables and attack nodes in the texts of an entity are added to it', async () => {
  const description = 'They used T1566.001 and evil[.]heron.example, and hxxp://evil.heron.example/a, and T9998.'
  const { id } = await makeEntity({ title: 'Mail from 192.0.2.45', description })
  const dry = await act(extract, {}, entity(id), { isDryRun: true })
  assert.equal((await ask('GET', `entities/${id}`)).observables.length, 0)
  const { outcome, output } = await act(extract, {}, entity(id))
  assert.deepEqual({ outcome, output }, dry)
  assert.deepEqual([outcome, output?.attacks], ['found', ['TA0001:T1566.001']])
  const { body } = await corvus.call('GET', `observables?filter[entities]=${id}`)
  const values = body.data.map(({ type, value }: { type: string; value: string }) => `${type} ${value}`).sort()
  assert.ok(values.includes('ipv4 192.0.2.45') && values.includes('domain evil.heron.example'), values.join())
  assert.deepEqual(idsIn((await ask('GET', `entities/${id}`)).meta.attacks), ['TA0001:T1566.001'])
  assert.partialDeepStrictEqual(await act(extract, {}, entity(id)), {
    outcome: 'found',
    output: { new_observables: 0 },
  })
})

test('only wanted types are extracted, and a text without anything is an outcome', async () => {
  const { id } = await makeEntity({ title: 'x', description: '192.0.2.46 at only.heron.example, T1566' })
  const wanted = { types: ['ipv4'], attacks: false }
  assert.deepEqual(await act(extract, wanted, entity(id)), {
    outcome: 'found',
    output: { observables: 1, new_observables: 1, excluded: 0, attacks: [] },
  })
  const { id: empty } = await makeEntity({ title: 'Nothing', description: 'to see' })
  assert.equal((await act(extract, {}, entity(empty))).outcome, 'not_found')
  assert.equal((await act(extract, {}, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const owner = await ownerWith(['read entities'])
  await assert.rejects(
    act(extract, {}, entity(id), { owner }),
    /Missing permissions: \[modify entities, read extracts\]/,
  )
})

test('an entity is created once for each object, related to it and not less restricted', async () => {
  const { id } = await makeEntity({}, { meta: { tlp_color: 'AMBER' } })
  const wanted = { ...incident, description: 'From {title}', tags: ['playbook'], tlp_color: 'GREEN' }
  const first = await act(createEntity, wanted, entity(id))
  assert.equal(first.outcome, 'created')
  const again = await act(createEntity, wanted, entity(id))
  assert.deepEqual(again, { outcome: 'exists', output: first.output })
  const { data, meta } = await ask('GET', `entities/${first.output?.entity}`)
  assert.deepEqual(
    [data.type, data.title, data.description, meta.tags, meta.tlp_color],
    ['incident', 'Incident about of entities', 'From of entities', ['playbook'], 'AMBER'],
  )
  const links = await ask('GET', `relationships?filter[target]=${id}`)
  assert.deepEqual(
    links.map((each: { data: { key: string; source: string } }) => [each.data.key, ...idsIn([each.data.source])]),
    [['related-to', first.output?.entity]],
  )
})

test('one entity in each run has the key of the step in its id', async () => {
  const { id } = await ask('POST', 'observables', { type: 'domain', value: 'made.heron.example' })
  const wanted = { ...incident, once_per: 'run' }
  const [one, same, other] = [
    await act(createEntity, wanted, observable(id), { key: 'a' }),
    await act(createEntity, wanted, observable(id), { key: 'a' }),
    await act(createEntity, wanted, observable(id), { key: 'b' }),
  ]
  assert.deepEqual([one.outcome, same.outcome, other.outcome], ['created', 'exists', 'created'])
  assert.equal(same.output?.entity, one.output?.entity)
  assert.deepEqual(idsIn((await ask('GET', `entities/${one.output?.entity}`)).observables), [String(id)])
})

test('a dry run creates nothing, and neither does an owner who lacks sight, a group or a permission', async () => {
  const before = await countOf('entities')
  const { id } = await makeEntity()
  assert.equal((await act(createEntity, incident, entity(id), { isDryRun: true })).outcome, 'created')
  assert.equal(await countOf('entities'), before + 1)
  assert.equal((await act(createEntity, incident, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const owner = await ownerWith(['read entities'])
  await assert.rejects(act(createEntity, incident, entity(id), { owner }), /Missing permissions: \[modify entities\]/)
})

test('an entity is exported to one block of the owner', async () => {
  const { id } = await makeEntity()
  const wanted = { content_type: 'urn:oasis:stix:json:2.1' }
  const { waitsFor } = await act(exportStep, wanted, entity(id), { key: 'the key of an export' })
  const again = await act(exportStep, wanted, entity(id), { key: 'the key of an export' })
  assert.ok(waitsFor)
  if (again.waitsFor) assert.equal(again.waitsFor.task_run, waitsFor.task_run)
  const { outcome, output } = await until(async () => {
    const seen = await resume(exportStep, wanted, entity(id), waitsFor)
    return seen.outcome === undefined ? undefined : seen
  }, 'the export does not end')
  assert.equal(outcome, 'exported')
  assert.equal((await ask('GET', `export-blocks/${output?.export_block}`)).items_count, 1)
})

test('what the configuration keeps back is out of scope, and a dry run starts no run', async () => {
  const { id } = await makeEntity({}, { meta: { tlp_color: 'RED' } })
  const wanted = { content_type: 'urn:oasis:stix:json:2.1', content_configuration: { tlp_color_filter: 'GREEN' } }
  const runs = await countOf('task_runs')
  assert.equal((await act(exportStep, wanted, entity(id), { isDryRun: true })).outcome, 'exported')
  assert.equal((await act(exportStep, wanted, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  assert.equal(await countOf('task_runs'), runs)
  const begun = await act(exportStep, wanted, entity(id))
  const { outcome } = await until(async () => {
    const seen = await resume(exportStep, wanted, entity(id), begun.waitsFor ?? {})
    return seen.outcome === undefined ? undefined : seen
  }, 'the export does not end')
  assert.equal(outcome, 'out_of_scope')
  const owner = await ownerWith(['read entities'])
  await assert.rejects(act(exportStep, wanted, entity(id), { owner }), /Missing permissions: \[read extracts\]/)
})
