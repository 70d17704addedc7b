import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Has, nodesIn, remaining, type TextAnalysis, textOf, withNodes } from './text-analysis.ts'

const technique = (id: string, attacks: readonly string[]): TextAnalysis['attacks'][number] => ({
  technique: id,
  name: id,
  attacks: attacks.map((each) => `https://corvus.example/api/v2/attacks/${each}`),
  score: 1,
  found_by: ['id'],
  evidence: [],
})

const entity = (id: string, is_unified = false) => ({ id, type: 'malware', title: id, is_unified, mentions: [] })

const analysis: TextAnalysis = {
  observables: [
    { type: 'domain', value: 'a.example', sentence: '', is_excluded: false },
    { type: 'domain', value: 'b.example', sentence: '', is_excluded: true },
  ],
  entities: [entity('one'), entity('two'), entity('own'), entity('all', true)],
  attacks: [technique('T1', ['TA1:T1', 'TA2:T1']), technique('T2', ['TA1:T2'])],
  notes: ['A note.'],
}

const has: Has = {
  observables: [{ type: 'domain', value: 'a.example' }],
  related: ['two'],
  nodes: nodesIn({ attacks: ['https://corvus.example/api/v2/attacks/TA1:T1', 'TA1:T2'] }),
}

test('what the entity has already is not offered again, and neither is the entity itself or a unified one', () => {
  const { observables, entities, attacks, notes } = remaining(analysis, [has], 'own')
  assert.deepEqual(
    [observables.map(({ value }) => value), entities.map(({ id }) => id), attacks.map((each) => each.technique), notes],
    [['b.example'], ['one'], ['T1'], ['A note.']],
  )
})

test('a technique is added in all its places, each once', () => {
  assert.deepEqual(withNodes(has.nodes, technique('T1', ['TA1:T1', 'TA2:T1'])), ['TA1:T1', 'TA1:T2', 'TA2:T1'])
})

test('title and description are analysed', () => {
  assert.equal(textOf({ title: 'Title', description: 'Text' }), 'Title\n\nText')
  assert.equal(textOf({ title: ' ' }), '')
})
