import { z } from 'zod'
import { ciqIdentity } from './ciq-identity.ts'
import { recordOf, words } from './shape.ts'
import { timeSpan } from './time.ts'
import { toolInformation } from './tool-information.ts'
import { term } from './vocabulary.ts'

/** Where a piece of information comes from. */
export const informationSource = recordOf(
  {},
  {
    type: z.literal('information-source'),
    description: z.string(),
    identity: ciqIdentity,
    roles: z.array(term),
    contributing_sources: z.array(z.looseObject({})),
    time: timeSpan,
    tools: z.array(toolInformation),
    references: words,
  },
)
