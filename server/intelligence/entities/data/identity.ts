import { z } from 'zod'
import { words } from '../records/shape.ts'
import { dataOf } from './shared-fields.ts'

/** A person, an organisation, or a group of them. */
export const identity = dataOf('identity', {
  roles: words,
  identity_class: z.string(),
  sectors: words,
  contact_information: z.string(),
})
