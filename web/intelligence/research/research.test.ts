import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Enrichment, textOf } from './research.ts'

test('an enrichment is saved with its highlights and sources', () => {
  const enrichment = {
    description: ['A group [1].', 'It rests in winter.'],
    key_highlights: ['Active', 'Patient'],
    sources: [
      { n: 1, title: 'News', url: 'https://news.example/heron', entity: null, date: '2026-11-01' },
      { n: 2, title: 'Heron report', url: null, entity: '/entities/x', date: null },
    ],
  } as unknown as Enrichment
  assert.equal(
    textOf(enrichment),
    'A group [1].\n\nIt rests in winter.\n\n- Active\n- Patient\n\n## Sources\n\n1. News https://news.example/heron (2026-11-01)\n2. Heron report',
  )
  assert.equal(textOf({ ...enrichment, key_highlights: [], sources: [] }), 'A group [1].\n\nIt rests in winter.')
})
