import { z } from 'zod'
import { killChainPhase } from '../records/kill-chain-phase.ts'
import { words } from '../records/shape.ts'
import { dataOf } from './shared-fields.ts'

/** Legitimate software that attackers use. */
export const tool = dataOf('tool', {
  tool_types: words,
  aliases: words,
  kill_chain_phases: z.array(killChainPhase),
  tool_version: z.string(),
})
