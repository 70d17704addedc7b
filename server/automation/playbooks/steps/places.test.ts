import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  act,
  ask,
  corvus,
  entity,
  file,
  hiddenEntity,
  idsIn,
  makeEntity,
  observable,
  ownerWith,
} from '../../../../test/set-up/steps.ts'
import { addTo } from './add-to.ts'
import { removeFrom } from './remove-from.ts'

const unique = () => `Heron ${crypto.randomUUID()}`
const dataset = (more: object = {}) => ask('POST', 'datasets', { name: unique(), workspaces: [1], ...more })
const workspace = (token = corvus.admin) => ask('POST', 'workspaces', { name: unique() }, token)
const countIn = async (id: number) => (await ask('GET', `datasets/${id}`)).entities_count

test('an entity is added to datasets and workspaces once, and removed from them', async () => {
  const [place, room, { id }] = [await dataset(), await workspace(), await makeEntity()]
  const wanted = { datasets: [place.id], workspaces: [room.id] }
  assert.deepEqual(await act(addTo, wanted, entity(id)), {
    outcome: 'added',
    output: { added_to: [place.id, room.id] },
  })
  assert.equal((await act(addTo, wanted, entity(id))).outcome, 'unchanged')
  assert.equal(await countIn(place.id), 1)
  assert.deepEqual(idsIn((await ask('GET', `workspaces/${room.id}`)).entities), [id])
  const taken = await act(removeFrom, wanted, entity(id))
  assert.deepEqual(taken, { outcome: 'removed', output: { removed_from: [place.id, room.id] } })
  assert.equal((await act(removeFrom, wanted, entity(id))).outcome, 'unchanged')
  assert.equal(await countIn(place.id), 0)
  assert.deepEqual((await ask('GET', `workspaces/${room.id}`)).entities, [])
})

test('a dry run fills nothing', async () => {
  const [place, { id }] = [await dataset(), await makeEntity()]
  assert.equal((await act(addTo, { datasets: [place.id] }, entity(id), { isDryRun: true })).outcome, 'added')
  assert.equal(await countIn(place.id), 0)
})

test('dynamic datasets are left out, and alone they are out of scope', async () => {
  const [place, dynamic] = [await dataset(), await dataset({ search_query: 'data.title:nothing-like-it' })]
  const { id } = await makeEntity()
  const { outcome, warnings } = await act(addTo, { datasets: [place.id, dynamic.id] }, entity(id))
  assert.deepEqual(
    [outcome, warnings],
    ['added', [`The dataset '${dynamic.name}' was left out: its query determines its entities.`]],
  )
  assert.equal((await act(addTo, { datasets: [dynamic.id] }, entity(id))).outcome, 'out_of_scope')
})

test('an entity and an observable become part of a report', async () => {
  const [report, actor] = [await makeEntity(), await makeEntity({ type: 'threat-actor', title: 'Grey Heron' })]
  const found = await ask('POST', 'observables', { type: 'domain', value: 'report.heron.example' })
  const wanted = { reports: [report.id, actor.id] }
  const other = `The entity '${actor.id}' was left out: it is no report that something can be added to.`
  const added = await act(addTo, wanted, entity(actor.id))
  assert.deepEqual(added, { outcome: 'added', output: { added_to: [report.id] }, warnings: [other] })
  assert.equal((await act(addTo, wanted, entity(actor.id))).outcome, 'unchanged')
  const links = await ask('GET', `relationships?filter[source]=${report.id}`)
  assert.deepEqual(
    links.map(({ data }: { data: { key: string; target: string } }) => [data.key, ...idsIn([data.target])]),
    [['contains', actor.id]],
  )
  assert.equal((await act(addTo, { reports: [report.id] }, observable(found.id))).outcome, 'added')
  assert.equal((await act(addTo, { reports: [report.id] }, observable(found.id))).outcome, 'unchanged')
  assert.deepEqual(idsIn((await ask('GET', `entities/${report.id}`)).observables), [String(found.id)])
})

test('a file moves between workspaces, if its owner may change files', async () => {
  const room = await workspace()
  const { id } = await ask('POST', 'files', { name: 'heron.bin', data: 'aGVyb24=', process: false, workspaces: [1] })
  const wanted = { workspaces: [room.id] }
  assert.equal((await act(addTo, wanted, file(id))).outcome, 'added')
  assert.deepEqual(idsIn((await ask('GET', `files/${id}`)).workspaces).sort(), ['1', String(room.id)].sort())
  assert.equal((await act(removeFrom, wanted, file(id))).outcome, 'removed')
  const owner = await ownerWith(['read files', 'read workspaces', 'modify workspaces'])
  assert.equal((await act(addTo, { workspaces: [1] }, file(id), { owner })).outcome, 'out_of_scope')
})

test('what the owner does not see is out of scope: objects and places', async () => {
  const place = await dataset()
  assert.equal((await act(addTo, { datasets: [place.id] }, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const token = await corvus.tokenFor(['read workspaces', 'modify workspaces'])
  const room = await workspace(token)
  const owner = await ownerWith(['read workspaces', 'modify workspaces', 'read entities'])
  const { id } = await makeEntity()
  const { outcome, warnings } = await act(addTo, { workspaces: [room.id] }, entity(id), { owner })
  assert.deepEqual(
    [outcome, warnings],
    ['out_of_scope', [`The workspace ${room.id} was left out: the owner of the playbook does not see it.`]],
  )
  await assert.rejects(
    act(addTo, { datasets: [place.id] }, entity(id), { owner }),
    /Missing permissions: \[read intel-sets, modify intel-sets\]/,
  )
  assert.throws(() => addTo.parameters.parse({}))
  assert.throws(() => removeFrom.parameters.parse({ datasets: [] }))
})
