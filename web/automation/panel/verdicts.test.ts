import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Enrichment } from '../../api/resources.ts'
import { linesOf, type SourceVerdict } from './verdicts.ts'

const result = (id: number, maliciousness?: string) =>
  ({
    id,
    state: maliciousness ? 'FOUND' : 'EMPTY',
    findings: maliciousness ? [{ kind: 'verdict', maliciousness }] : [],
  }) as unknown as Enrichment

const verdict = (source: string, maliciousness: string, is_own = false): SourceVerdict => ({
  source,
  maliciousness,
  is_own,
  given_at: null,
  given_by: null,
})

test('the own verdict comes first, then the strongest of enrichers and other sources', () => {
  const verdicts = [verdict('group', 'safe', true), verdict('feed', 'medium'), verdict('enricher', 'high')]
  const lines = linesOf([result(1), result(2, 'low'), result(3, 'high')], verdicts, [{ source: 'enricher' }])
  assert.deepEqual(
    lines.map(({ key }) => key),
    ['group', '3', 'feed', '2', '1'],
  )
})
