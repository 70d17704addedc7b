import type { Candidate, Decisions } from '../../server/automation/consolidation/matching/blocks.ts'

/** Neither a person nor a policy decided anything. */
export const NOTHING_DECIDED: Decisions = {
  exempt: new Set(),
  refused: new Set(),
  switchedOff: new Set(),
  frozen: new Set(),
  current: new Map(),
}

/** An entity whose source and title differ from those of all others. */
export const subject = (name: string, keys: readonly string[], more: Partial<Candidate> = {}): Candidate => ({
  entity: `entity-${name}`,
  stixId: `malware--${name}`,
  type: 'malware',
  source: name.charCodeAt(0),
  title: name,
  policy: 1,
  keys,
  ...more,
})
