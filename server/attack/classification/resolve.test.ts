import assert from 'node:assert/strict'
import { test } from 'node:test'
import { livePlaces, shippedNodes } from '../../../test/attack-nodes.ts'
import type { FoundAttack } from '../../formats/finding.ts'
import { nodesFrom } from './nodes.ts'
import { resolveAttacks } from './resolve.ts'

const nodes = nodesFrom(shippedNodes)
const found = (...said: FoundAttack[]) => resolveAttacks(nodes, said)
const attacksOf = (...said: FoundAttack[]) => found(...said).attacks
const phases = (chain: string, ...names: string[]) => names.map((name) => ({ chain, name }))

test('a technique without a tactic means all its live places', () => {
  assert.deepEqual(attacksOf({ id: 'T1078' }), ['TA0001:T1078', 'TA0003:T1078', 'TA0004:T1078', 'TA0005:T1078'])
  assert.deepEqual(attacksOf({ id: ' t1566.001 ' }), ['TA0001:T1566.001'])
  const [place] = nodes.placesOf('T1078')
  assert.deepEqual(attacksOf({ id: String(place?.stix_id) }), attacksOf({ id: 'T1078' }))
})

test('tactics choose among the places, by short name in any spelling or by id', () => {
  for (const name of ['initial-access', 'Initial Access', 'initial_access', 'TA0001'])
    assert.deepEqual(attacksOf({ id: 'T1078', tactics: [{ name }] }), ['TA0001:T1078'])
  const tactics = phases('mitre-attack', 'persistence', 'initial-access')
  assert.deepEqual(attacksOf({ id: 'T1078', tactics }), ['TA0001:T1078', 'TA0003:T1078'])
})

test('every live place of every framework is found by its technique and the short name of its tactic', () => {
  const chains = {
    'enterprise-attack': 'mitre-attack',
    'mobile-attack': 'mitre-mobile-attack',
    'ics-attack': 'mitre-ics-attack',
    DISARM: 'mitre-attack',
  } as const
  assert.ok(livePlaces.length > 1500)
  for (const node of livePlaces) {
    const name = String(nodes.tacticOf(node)?.short_names[0])
    const { attacks, notes } = found({ id: node.external_id, tactics: [{ chain: chains[node.matrix], name }] })
    assert.deepEqual([attacks, notes], [[node.id], []])
    assert.ok(attacksOf({ id: node.external_id }).includes(node.id))
    assert.deepEqual(attacksOf({ id: node.id }), [node.id])
  }
})

test('tactics that a technique is not below are reported, and without another it means all its places', () => {
  const lines = ["T1566 is not below the tactic 'stealth' in the loaded version."]
  for (const tactics of [phases('mitre-attack', 'stealth'), phases('mitre-attack', 'stealth', 'initial-access')]) {
    const { attacks, notes } = found({ id: 'T1566', tactics })
    assert.deepEqual([attacks, notes], [['TA0001:T1566'], lines])
  }
})

test('a revoked node is replaced by its successors if they are one technique, and says so', () => {
  const { attacks, notes } = found({ id: 'T1086' }, { id: 'TA0002:T1154' })
  assert.deepEqual(attacks, ['TA0002:T1059.001', 'TA0003:T1546.005', 'TA0004:T1546.005'])
  assert.deepEqual(notes, [
    'TA0002:T1086 is revoked and was replaced by TA0002:T1059.001.',
    'TA0002:T1154 is revoked and was replaced by TA0003:T1546.005 and TA0004:T1546.005.',
  ])
})

test('a dead node is kept if several techniques or none took its place', () => {
  const split = nodesFrom(
    shippedNodes.map((node) =>
      node.id === 'TA0002:T1086' ? { ...node, successors: ['TA0002:T1059.001', 'TA0002:T1059.003'] } : node,
    ),
  )
  const { attacks, notes } = resolveAttacks(split, [{ id: 'T1086' }])
  assert.deepEqual(attacks, ['TA0002:T1086'])
  assert.match(String(notes), /several successors: TA0002:T1059.001 and TA0002:T1059.003/)
  assert.deepEqual(attacksOf({ id: 'TA0038' }), ['TA0038'])
})

test('a technique that left a tactic is found in its other places', () => {
  const moved = nodesFrom(
    shippedNodes.map((node) => (node.id === 'TA0003:T1078' ? { ...node, state: 'deprecated' as const } : node)),
  )
  const { attacks } = resolveAttacks(moved, [{ id: 'T1078', tactics: phases('mitre-attack', 'persistence') }])
  assert.deepEqual(attacks, ['TA0001:T1078', 'TA0004:T1078', 'TA0005:T1078'])
})

test('a tactic that a technique has left leads to where it went, in addition to the other tactics of a document', () => {
  const moved = nodesFrom(
    shippedNodes.map((node) =>
      node.id === 'TA0003:T1078' ? { ...node, state: 'deprecated' as const, successors: ['TA0005:T1078'] } : node,
    ),
  )
  const attacksIn = (...names: string[]) =>
    resolveAttacks(moved, [{ id: 'T1078', tactics: phases('mitre-attack', ...names) }]).attacks
  assert.deepEqual(attacksIn('initial-access', 'persistence'), ['TA0001:T1078', 'TA0005:T1078'])
  assert.deepEqual(attacksIn(), ['TA0001:T1078', 'TA0004:T1078', 'TA0005:T1078'])
})

test('a live tactic is meant by a name that a dead one had, too', () => {
  const renamed = nodesFrom(
    shippedNodes.map((node) => (node.id === 'TA0028' ? { ...node, short_names: ['network-effects'] } : node)),
  )
  const { attacks } = resolveAttacks(renamed, [{ tactics: phases('mitre-mobile-attack', 'network-effects') }])
  assert.deepEqual(attacks, ['TA0028'])
})

test('an unknown id is kept, below its tactics as far as these are known', () => {
  const { attacks, unknown, notes } = found(
    { id: 't9999' },
    { id: 'ta0003:t1566' },
    { id: 'T1685', tactics: phases('mitre-attack', 'defense-evasion', 'defense-impairment') },
    { id: 'T1686', tactics: [{ name: 'impact' }] },
  )
  assert.deepEqual(attacks, ['T9999', 'TA0003:T1566', 'TA0005:T1685', 'T1686'])
  assert.deepEqual(unknown, attacks)
  assert.equal(notes.length, 4)
  const { attacks: none, losses } = found({ id: 'a b' }, { id: 'attack-pattern--00000000-0000-4000-8000-000000000000' })
  assert.deepEqual([none, losses], [[], ["'a b' is not the id of an attack node."]])
})

test('tactics without a technique are tactics of the matrix of their kill chain, also those of DISARM', () => {
  assert.deepEqual(attacksOf({ tactics: phases('mitre-attack', 'initial-access', 'plan-strategy') }), [
    'TA0001',
    'TA01',
  ])
  assert.deepEqual(attacksOf({ tactics: phases('mitre-ics-attack', 'initial-access') }), ['TA0108'])
  assert.deepEqual(attacksOf({ tactics: [{ name: 'Initial Access' }] }), ['TA0001', 'TA0027', 'TA0108'])
  assert.deepEqual(found({ tactics: phases('mitre-attack', 'stealth') }).losses, ["The tactic 'stealth' is unknown."])
})

test('a hostile number of tactics is cut off, and says so', () => {
  const tactics = Array.from({ length: 100_000 }, (_, i) => ({ name: `tactic ${i}` }))
  const many = Array.from({ length: 2000 }, (_, i) => ({ id: `T${1000 + i}`, tactics }))
  const { losses, attacks } = found(...many)
  assert.deepEqual(losses, ['Only the first 100 of 100000 tactics were read.'])
  assert.ok(attacks.includes('TA0001:T1566'))
})
