import { z } from 'zod'
import { attackPatternReference } from '../records/external-reference.ts'
import { killChainPhase } from '../records/kill-chain-phase.ts'
import { words } from '../records/shape.ts'
import { dataOf } from './shared-fields.ts'

/** A way in which attackers try to reach their goal. */
export const attackPattern = dataOf('attack-pattern', {
  aliases: words,
  external_references: z.array(attackPatternReference),
  kill_chain_phases: z.array(killChainPhase),
})
