import { z } from 'zod'
import { killChainPhase } from '../records/kill-chain-phase.ts'
import { words } from '../records/shape.ts'
import { impact } from '../records/statement.ts'
import { time } from '../records/time.ts'
import { term } from '../records/vocabulary.ts'
import { dataOf } from './shared-fields.ts'

/** A pattern that detects suspicious activity. */
export const indicator = dataOf('indicator', {
  indicator_types: words,
  kill_chain_phases: z.array(killChainPhase),
  likely_impact: impact,
  pattern: z.string(),
  pattern_type: z.string(),
  pattern_version: z.string(),
  test_mechanisms: z.array(z.looseObject({})),
  types: z.array(term),
  valid_from: time,
  valid_until: time.nullable(),
})
