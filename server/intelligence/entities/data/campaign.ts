import { z } from 'zod'
import { customAttributes } from '../records/custom-attributes.ts'
import { words } from '../records/shape.ts'
import { intendedEffect } from '../records/statement.ts'
import { valueRequired } from '../records/vocabulary.ts'
import { dataOf, seen } from './shared-fields.ts'

/** Attacks that belong together over a period of time. */
export const campaign = dataOf('campaign', {
  names: z.array(valueRequired),
  status: z.enum(['Future', 'Historic', 'Ongoing']),
  intended_effects: z.array(intendedEffect),
  custom_attributes: customAttributes,
  aliases: words,
  objective: z.string(),
  ...seen,
})
