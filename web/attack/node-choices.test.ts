import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeChoices } from './node-choices.ts'
import type { NamedNode } from './nodes.ts'

const node = (id: string, name: string, type: NamedNode['type'], parent: string | null): [string, NamedNode] => [
  id,
  { id, name, type, parent, external_id: id.split(':').at(-1) ?? '' },
]

test('nodes are selected by their names with their tactics, in the order of their ids', () => {
  const nodes = new Map([
    node('enterprise-attack', 'Enterprise', 'matrix', null),
    node('TA0001:T1566.001', 'Spearphishing Attachment', 'subtechnique', 'TA0001:T1566'),
    node('TA0001:T1566', 'Phishing', 'technique', 'TA0001'),
    node('TA0001', 'Initial Access', 'tactic', 'enterprise-attack'),
  ])
  assert.deepEqual(nodeChoices([{ label: 'Enterprise', nodes }]), [
    {
      value: 'TA0001:T1566',
      name: 'T1566 Phishing',
      label: 'T1566 Phishing · Initial Access',
      place: 'Enterprise · Initial Access',
    },
    {
      value: 'TA0001:T1566.001',
      name: 'T1566.001 Phishing: Spearphishing Attachment',
      label: 'T1566.001 Phishing: Spearphishing Attachment · Initial Access',
      place: 'Enterprise · Initial Access',
    },
    { value: 'TA0001', name: 'TA0001 Initial Access', label: 'TA0001 Initial Access', place: 'Enterprise · Tactic' },
  ])
})
