import { z } from 'zod'
import { recordOf } from './shape.ts'
import { term } from './vocabulary.ts'

/** Someone, named inside another object. */
export const ciqIdentity = recordOf(
  {},
  {
    type: z.literal('identity'),
    id: z.string(),
    idref: z.string(),
    name: z.string(),
    identity_type: z.string(),
    roles: z.array(term),
    specification_xml: z.string(),
    specification_xml_type: z.string(),
  },
)
