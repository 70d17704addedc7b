import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleOf, shippedContent } from '../../../test/set-up/attack-bundle.ts'
import { classify, corvus, loadBundle, nodesOf, undo } from '../../../test/set-up/frameworks.ts'

const shipped = await shippedContent('ics-attack')
const [OLD, NEW, OTHER] = ['TA0107:T0800', 'TA0107:T0999', 'TA0105:T0831'] as const
const next = bundleOf({
  ...shipped,
  version: '19.0',
  techniques: [
    ...shipped.techniques.map((each) => (each.id === 'T0800' ? { ...each, revokedBy: ['T0999'] } : each)),
    { id: 'T0999', name: 'Stop Updates', tactics: ['inhibit-response-function'] },
  ],
  mitigations: [{ id: 'M9001', name: 'Locks', against: ['T0999'] }],
})

async function made(path: string, data: unknown) {
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const read = async (path: string) => {
  const { status, body } = await corvus.call('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const idOf = (url: string) => decodeURIComponent(url.split('/').at(-1) ?? '')
const techniquesOf = async (defense: number): Promise<string[]> =>
  (await read(`attack-defenses/relationships?filter[defense]=${defense}`)).data
    .map(({ technique }: { technique: string }) => idOf(technique))
    .sort()

test('undoing a load keeps what users made of its version, and takes back what it moved', async () => {
  const before = {
    defense: await made('attack-defenses', { name: 'Seals', type: 'mitigation', related_techniques: [OLD] }),
    dropped: await made('attack-defenses', { name: 'Guards', type: 'mitigation', related_techniques: [OLD] }),
    analysis: await made('attack_analyses', { name: 'Before', attack_matrix: 'ics-attack' }),
    entity: await classify('Before', [OLD]),
  }
  await made('attack_analyses/annotations', { attack_analysis: before.analysis.id, attack_node: OLD, content: 'Ours' })
  const loaded = await loadBundle(next)
  assert.deepEqual([await techniquesOf(before.defense.id), await nodesOf(before.entity)], [[NEW], [NEW]])

  const [system] = (await read('attack-defenses?filter[external_id]=M9001')).data
  const [older] = (await read('attack-defenses?filter[external_id]=M0801')).data
  const own = await made('attack-defenses', { name: 'Gates', type: 'mitigation', related_techniques: [NEW, OTHER] })
  const links = [
    await made('attack-defenses/relationships', { defense: system.id, technique: OTHER, type: 'mitigates' }),
    await made('attack-defenses/relationships', { defense: older.id, technique: NEW, type: 'mitigates' }),
  ]
  await made('attack-defenses/statuses', { defense: system.id, status: 'done', score: 4, note: 'Built' })
  const analysis = await made('attack_analyses', { name: 'Since', attack_matrix: 'ics-attack' })
  await made('attack_analyses/annotations', { attack_analysis: analysis.id, attack_node: NEW, content: 'New' })
  const entity = await classify('Since', [NEW, OTHER])
  // What the load moved was given up since.
  const [moved] = (await read(`attack-defenses/relationships?filter[defense]=${before.dropped.id}`)).data
  assert.equal((await corvus.call('DELETE', `attack-defenses/relationships/${moved.id}`)).status, 204)

  const undone = await undo(loaded.id)
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
  assert.deepEqual(await techniquesOf(before.defense.id), [OLD])
  assert.deepEqual(await techniquesOf(before.dropped.id), [])
  assert.deepEqual(await nodesOf(before.entity), [OLD])
  assert.deepEqual(await techniquesOf(own.id), [OTHER, NEW].sort())
  assert.deepEqual(await techniquesOf(system.id), [OTHER])
  for (const { id } of links) assert.equal((await read(`attack-defenses/relationships/${id}`)).data.is_system, false)
  assert.deepEqual(await nodesOf(entity), [NEW, OTHER])
  const notesOf = async (id: number) =>
    (await read(`attack_analyses/annotations?filter[attack_analysis]=${id}`)).data.map(
      ({ attack_node, content }: { attack_node: string; content: string }) => [idOf(attack_node), content],
    )
  assert.deepEqual(await notesOf(before.analysis.id), [[OLD, 'Ours']])
  assert.deepEqual(await notesOf(analysis.id), [[NEW, 'New']])
  const { data: kept } = await read(`attack-defenses/${system.id}`)
  assert.deepEqual([kept.name, kept.domains, kept.is_system], ['Locks', [], true])
  const { data: statuses } = await read('attack-defenses/statuses')
  assert.deepEqual(
    statuses.map(({ note }: { note: string }) => note),
    ['Built'],
  )
  const { data: node } = await read(`attacks/${NEW}`)
  assert.deepEqual([node.state, node.until, node.full_path.length], ['deprecated', '18.1', 3])

  const { data: result } = await read(`attack_analyses/${analysis.id}/result`)
  assert.ok(result)
  const heat = await read('attacks/heat?matrix=ics-attack')
  assert.deepEqual(
    heat.outside.map(({ id, count }: { id: string; count: number }) => [id, count]),
    [[NEW, 1]],
  )
  assert.ok((await read('attacks/coverage?matrix=ics-attack')).data.length > 0)
  assert.equal((await read(`attack_analyses/${analysis.id}/layer`)).domain, 'ics-attack')

  const again = await loadBundle(next)
  assert.deepEqual([again.remapped.entities, (await read(`attacks/${NEW}`)).data.state], [1, 'live'])
  assert.deepEqual(await techniquesOf(system.id), [OTHER, NEW].sort())
  assert.equal((await undo(again.id)).status, 200)
  assert.deepEqual([await techniquesOf(system.id), await nodesOf(entity)], [[OTHER], [NEW, OTHER]])
})
