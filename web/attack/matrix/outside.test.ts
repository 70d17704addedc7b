import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OutsideNode, outsideOf } from './outside.ts'

const node = (id: string, more: Partial<OutsideNode> = {}): OutsideNode => ({
  id,
  name: `name of ${id}`,
  type: 'technique',
  matrix: 'enterprise-attack',
  state: 'live',
  successors: [],
  ...more,
})

test('dead and unknown ids and tactics need attention, other matrices do not', () => {
  const nodes = [
    node('TA1:T1', { state: 'revoked', successors: ['TA1:T2'] }),
    node('TA1', { type: 'tactic' }),
    node('TA9:T1', { matrix: 'mobile-attack' }),
    node('TA9:T2', { matrix: 'mobile-attack' }),
  ]
  const { others, odd } = outsideOf(['TA1:T1', 'TA1', 'TA9:T1', 'TA9:T2', 'gone'], nodes, 'enterprise-attack')
  assert.deepEqual(others, [['mobile-attack', 2]])
  assert.deepEqual(
    odd.map(({ id, why, successors }) => [id, why, successors]),
    [
      ['TA1:T1', 'revoked', ['TA1:T2']],
      ['TA1', 'tactic', []],
      ['gone', 'unknown in this version', []],
    ],
  )
})
