import { z } from 'zod'
import { attackerToolType } from './attacker-tool-type.ts'
import { hash } from './hash.ts'
import { recordOf } from './shape.ts'

/** A tool of an attacker or of an investigator. */
export const toolInformation = recordOf(
  {},
  {
    type: z.literal('tool-information'),
    id: z.string(),
    idref: z.string(),
    name: z.string(),
    description: z.string(),
    vendor: z.string(),
    version: z.string(),
    service_pack: z.string(),
    hashes: z.array(hash),
    types: z.array(attackerToolType),
  },
)
