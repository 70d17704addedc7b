import { z } from 'zod'
import { recordOf } from './shape.ts'

/** A phase of a kill chain, by its name. */
export const killChainPhase = recordOf({ kill_chain_name: z.string(), phase_name: z.string() }, {})

/** A phase of a kill chain as STIX 1.2 refers to it, by id or by name. */
export const killChainPhaseReference = recordOf(
  {},
  {
    kill_chain_id: z.string(),
    kill_chain_name: z.string(),
    phase_id: z.string(),
    phase_name: z.string(),
    name: z.string(),
  },
)
