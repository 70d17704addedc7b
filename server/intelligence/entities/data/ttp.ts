import { z } from 'zod'
import { attackerInfrastructureType } from '../records/attacker-infrastructure-type.ts'
import { ciqIdentity } from '../records/ciq-identity.ts'
import { killChainPhaseReference } from '../records/kill-chain-phase.ts'
import { recordOf } from '../records/shape.ts'
import { intendedEffect } from '../records/statement.ts'
import { toolInformation } from '../records/tool-information.ts'
import { term } from '../records/vocabulary.ts'
import { dataOf } from './shared-fields.ts'

const records = z.array(z.looseObject({}))

/** Tactics, techniques and procedures: how attackers work, with what, and against whom. */
export const ttp = dataOf('ttp', {
  intended_effects: z.array(intendedEffect),
  kill_chain_phases: z.array(killChainPhaseReference),
  behavior: recordOf({}, { attack_patterns: records, malware_instances: records, exploits: records }),
  resources: recordOf(
    {},
    {
      tools: z.array(toolInformation),
      infrastructure: recordOf({}, { types: z.array(attackerInfrastructureType) }),
      personas: z.array(ciqIdentity),
    },
  ),
  victim_targeting: recordOf(
    {},
    { identity: ciqIdentity, targeted_systems: z.array(term), targeted_information: z.array(term) },
  ),
})
