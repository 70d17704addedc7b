import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentGenerationPrompt } from '../../../api/resources.ts'
import { type Generated, type Refined, refinedFrom, unfitTypes, usablePrompts } from './content.ts'

const BY = { feature: 'f', provider: 'p', model: 'm', prompt_hash: null, generated_at: '2026-11-09T09:00:00Z' }
const value = (text: string) => ({ value: text, start: 0, end: text.length })

test('a refined text keeps the title, the inputs, and the colour of what it was made of', () => {
  const earlier: Generated = {
    title: 'Crows 192.0.2.1',
    content: 'Long.',
    tlp_color: 'AMBER',
    unverified_values: [
      { ...value('192.0.2.1'), field: 'title' },
      { ...value('192.0.2.2'), field: 'content' },
    ],
    is_cut_off: true,
    generated_by: { ...BY, inputs: ['a', 'b'] },
  }
  const refined: Refined = {
    refined_content: 'Short.',
    tlp_color: 'GREEN',
    unverified_values: [value('192.0.2.3')],
    is_cut_off: false,
    generated_by: { ...BY, inputs: ['a'] },
  }
  const { title, content, tlp_color, is_cut_off, generated_by, unverified_values } = refinedFrom(earlier, refined)
  assert.deepEqual([title, content, tlp_color, is_cut_off], ['Crows 192.0.2.1', 'Short.', 'AMBER', false])
  assert.deepEqual(generated_by.inputs, ['a', 'b'])
  assert.deepEqual(
    unverified_values.map((each) => `${each.field} ${each.value}`),
    ['title 192.0.2.1', 'content 192.0.2.3'],
  )
})

test('enabled prompts are offered, pinned ones first', () => {
  const prompt = (name: string, is_enabled = true, is_pinned = false) =>
    ({ name, is_enabled, is_pinned }) as ContentGenerationPrompt
  const shown = usablePrompts([prompt('b'), prompt('off', false), prompt('z', true, true), prompt('a')])
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['z', 'a', 'b'],
  )
})

test('a prompt is for its types, or for all if it names none', () => {
  assert.deepEqual(unfitTypes({ entity_types: ['report'] }, ['report', 'malware', 'malware']), ['malware'])
  assert.deepEqual(unfitTypes({ entity_types: [] }, ['malware']), [])
})
