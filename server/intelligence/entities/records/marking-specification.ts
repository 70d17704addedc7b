import { z } from 'zod'
import { informationSource } from './information-source.ts'
import { recordOf } from './shape.ts'

const markingStructure = recordOf({}, { type: z.string(), marking_structure_type: z.string(), color: z.string() })

/** How a piece of information may be handled. */
export const markingSpecification = recordOf(
  {},
  {
    type: z.string(),
    id: z.string(),
    idref: z.string(),
    controlled_structure: z.string(),
    marking_structures: z.array(markingStructure),
    information_source: informationSource,
  },
)
