import type { Enrichment } from '../../api/resources.ts'
import { strongestVerdict } from '../enrichers/enricher-result.ts'

const VERDICTS = ['high', 'medium', 'low', 'safe']
const STATES: readonly Enrichment['state'][] = ['FOUND', 'PENDING', 'FAILED', 'SKIPPED', 'EMPTY']

/** How strong a result is, from 0 for the strongest. */
export function rankOf({ findings, state }: Pick<Enrichment, 'findings' | 'state'>): number {
  const verdict = VERDICTS.indexOf(strongestVerdict(findings) ?? '')
  return verdict >= 0 ? verdict : VERDICTS.length + STATES.indexOf(state)
}
