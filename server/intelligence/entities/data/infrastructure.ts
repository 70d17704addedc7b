import { z } from 'zod'
import { killChainPhase } from '../records/kill-chain-phase.ts'
import { words } from '../records/shape.ts'
import { dataOf, seen } from './shared-fields.ts'

/** Systems, services and resources that serve some purpose, such as an attack. */
export const infrastructure = dataOf('infrastructure', {
  infrastructure_types: words,
  aliases: words,
  kill_chain_phases: z.array(killChainPhase),
  ...seen,
})
