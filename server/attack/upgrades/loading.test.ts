import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleOf, type Content, shippedContent } from '../../../test/set-up/attack-bundle.ts'
import {
  classified,
  classify,
  corvus,
  found,
  frameworkTables,
  load,
  loadBundle,
  nodesOf,
  preview,
  undo,
} from '../../../test/set-up/frameworks.ts'

const shipped = await shippedContent('ics-attack')

/** The next version: T0800 is revoked, T0801 gets another name, T0802 is in another tactic, T0803 is gone, and there is a new one. */
const next: Content = {
  ...shipped,
  version: '19.0',
  techniques: [
    ...shipped.techniques.flatMap((technique) => {
      if (technique.id === 'T0800') return [{ ...technique, revokedBy: ['T0999'] }]
      if (technique.id === 'T0801') return [{ ...technique, name: 'Watching' }]
      if (technique.id === 'T0802') return [{ ...technique, tactics: ['impact'] }]
      return technique.id === 'T0803' ? [] : [technique]
    }),
    { id: 'T0999', name: 'Stop Updates', tactics: ['inhibit-response-function'] },
  ],
  procedures: {
    T0801: ['Plow watched the states of pumps.', 'Harrow watched valves.'],
    T0999: ['Plow stopped updates.'],
  },
}

test('a preview says what would change, and changes nothing', async () => {
  const before = await frameworkTables()
  const entity = await classify('Uses', ['TA0107:T0800', 'TA0100:T0801', 'TA0100:T0802'])
  const { status, body } = await preview(bundleOf(next))
  assert.equal(status, 201, JSON.stringify(body))
  const { report, ...rest } = body.data
  assert.deepEqual(
    [rest.state, rest.matrix, rest.version, rest.previous_version, rest.is_downgrade, rest.origin, rest.remapped],
    ['preview', 'ics-attack', '19.0', '18.1', false, 'bundle.json', null],
  )
  assert.deepEqual(report.new, [{ id: 'TA0107:T0999', name: 'Stop Updates' }])
  assert.deepEqual(report.revoked, [
    { id: 'TA0107:T0800', name: 'Activate Firmware Update Mode', successors: ['TA0107:T0999'] },
  ])
  assert.deepEqual(report.renamed, [{ id: 'TA0100:T0801', before: 'Monitor Process State', after: 'Watching' }])
  assert.deepEqual(
    report.moved.map(({ external_id, to }: { external_id: string; to: string[] }) => [external_id, to]),
    [['T0802', ['TA0105:T0802']]],
  )
  assert.deepEqual(
    report.deprecated.map(({ id }: { id: string }) => id),
    ['TA0107:T0803'],
  )
  assert.ok(report.texts_added > 80)
  assert.deepEqual(
    report.uses.map(({ id, successors, outcome, entities }: Record<string, unknown>) => [
      id,
      successors,
      outcome,
      entities,
    ]),
    [
      ['TA0100:T0802', ['TA0105:T0802'], 'remapped', 1],
      ['TA0107:T0800', ['TA0107:T0999'], 'remapped', 1],
    ],
  )
  assert.deepEqual(
    report.renamed_uses.map(({ id, entities }: Record<string, unknown>) => [id, entities]),
    [['TA0100:T0801', 1]],
  )
  assert.deepEqual(await frameworkTables(), before)
  await corvus.call('DELETE', `entities/${entity}`)
})

test('loading re-maps entities, says why, and undoing it restores everything', async () => {
  const one = await classify('One', ['TA0107:T0800', 'TA0100:T0802', 'TA0001'])
  const both = await classify('Both', ['TA0107:T0803', 'TA0105', 'TA0107:T0800'])
  const other = await classify('Other', ['TA0100:T0801'])
  const before = await frameworkTables()
  const entities = await classified()
  const loaded = await loadBundle(bundleOf(next))
  assert.deepEqual([loaded.state, loaded.can_undo, loaded.remapped.entities], ['loaded', true, 2])
  assert.deepEqual(await nodesOf(one), ['TA0107:T0999', 'TA0105:T0802', 'TA0001'])
  assert.deepEqual(await nodesOf(both), ['TA0107:T0803', 'TA0105', 'TA0107:T0999'])
  assert.deepEqual(await found('meta.attacks:"TA0107:T0999"'), [one, both])
  const { body: dead } = await corvus.call('GET', 'attacks/TA0107:T0800')
  assert.deepEqual([dead.data.state, dead.data.successors], ['revoked', ['TA0107:T0999']])
  const { rows } = await corvus.pool.query(
    "select ids, cause_kind, cause_id from changes where resource = 'entities' order by id desc limit 1",
  )
  assert.deepEqual(rows, [{ ids: [one, both].sort(), cause_kind: 'attack-upgrade', cause_id: String(loaded.id) }])
  const { rows: logged } = await corvus.pool.query(
    "select kind, ids from changes where resource = 'attacks' and cause_id = $1 order by kind",
    [String(loaded.id)],
  )
  assert.deepEqual(
    logged.map(({ kind, ids }) => [kind, ids.includes('TA0107:T0999'), ids.includes('TA0107:T0800')]),
    [
      ['create', true, false],
      ['update', false, true],
    ],
  )
  const { body: versions } = await corvus.call('GET', `entities/${one}/versions`)
  assert.equal(versions.data.length, 1)
  assert.deepEqual(await nodesOf(other), ['TA0100:T0801'])

  const undone = await undo(loaded.id)
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
  assert.equal(undone.body.data.state, 'undone')
  assert.deepEqual(await frameworkTables(), before)
  assert.equal(await classified(), entities)
  assert.equal((await undo(loaded.id)).status, 409)
})

test('undoing leaves what users changed since', async () => {
  const changed = await classify('Changed', ['TA0001', 'TA0107:T0800', 'TA0100:T0802'])
  const without = await classify('Without', ['TA0107:T0800'])
  const loaded = await loadBundle(bundleOf(next))
  const set = (id: string, attacks: string[]) => corvus.call('PATCH', `entities/${id}`, { data: { meta: { attacks } } })
  assert.equal((await set(changed, ['TA0105:T0802', 'TA0107:T0999', 'TA0106'])).status, 200)
  assert.equal((await set(without, ['TA0104'])).status, 200)
  const kept = await classify('New', ['TA0107:T0999'])
  assert.equal((await undo(loaded.id)).status, 200)
  assert.deepEqual(await nodesOf(changed), ['TA0100:T0802', 'TA0107:T0800', 'TA0106'])
  assert.deepEqual(await nodesOf(without), ['TA0104'])
  assert.deepEqual(await nodesOf(kept), ['TA0107:T0999'])
  const { body } = await corvus.call('GET', 'attacks/TA0107:T0999')
  assert.deepEqual([body.data.state, body.data.until], ['deprecated', '18.1'], 'a node in use is not deleted')
})

test('a preview is refused once another version was loaded, and only one of two loads at once succeeds', async () => {
  const [one, two] = [(await preview(bundleOf(next))).body.data.id, (await preview(bundleOf(next))).body.data.id]
  const answers = await Promise.all([load(one), load(two)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const winner = answers[0]?.status === 200 ? one : two
  assert.equal((await load(winner)).status, 409)
  assert.equal((await undo(winner)).status, 200)
  assert.equal((await load(winner === one ? two : one)).status, 200, 'the version is the one it was compared with')
  assert.equal((await undo(winner === one ? two : one)).status, 200)
})

test('what documents named before its version was loaded gets its places', async () => {
  const id = await classify('Ahead', ['TA0106'])
  await corvus.pool.query(
    `update entities set attacks = '{T0999,TA0106}', search = search || array_to_tsvector(array[E'k\\x1ft0999']) where id = $1`,
    [id],
  )
  const loaded = await loadBundle(bundleOf(next))
  assert.deepEqual(await nodesOf(id), ['TA0107:T0999', 'TA0106'])
  assert.deepEqual(await found('meta.attacks:"TA0107:T0999" AND data.title:Ahead'), [id])
  assert.equal((await undo(loaded.id)).status, 200)
  assert.deepEqual(await nodesOf(id), ['T0999', 'TA0106'])
})

test('a relationship that a user made stays theirs, although a version states it as well for a while', async () => {
  const stating = (version: string, against: readonly string[]): string =>
    bundleOf({ ...shipped, version, mitigations: [{ id: 'M9001', name: 'Locks', against }] })
  const loads = [(await loadBundle(stating('20.0', ['T0806']))).id]
  const [mitigation] = (await corvus.call('GET', 'attack-defenses?filter[external_id]=M9001')).body.data
  const own = { defense: mitigation.id, technique: 'TA0105:T0831', type: 'mitigates', description: 'Ours' }
  const made = await corvus.call('POST', 'attack-defenses/relationships', { data: own })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const shown = async () => {
    const { body } = await corvus.call('GET', `attack-defenses/relationships/${made.body.data.id}`)
    return [body.data.description, body.data.is_system]
  }
  loads.push((await loadBundle(stating('21.0', ['T0806', 'T0831']))).id)
  assert.deepEqual(await shown(), ['Ours', true])
  loads.push((await loadBundle(stating('22.0', ['T0806']))).id)
  assert.deepEqual(await shown(), ['Ours', false])
  const undoLatest = async () => assert.equal((await undo(loads.pop() ?? 0)).status, 200)
  await undoLatest()
  assert.deepEqual(await shown(), ['Ours', true])
  await undoLatest()
  assert.deepEqual(await shown(), ['Ours', false])
  await undoLatest()
})
