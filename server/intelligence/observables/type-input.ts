import { z } from 'zod'
import { OBSERVABLE_TYPES, observableTypeOf } from '../../domain/observables/types.ts'

/** The name of a type of observables, in any of its spellings. */
export const observableTypeInput = z.string().transform((given, check) => {
  const known = observableTypeOf(given)
  if (known) return known
  check.addIssue({ code: 'custom', message: `'${given.slice(0, 80)}' is not an observable type` })
  return z.NEVER
})

/** Names of types of observables; each is kept once. */
export const observableTypesInput = z
  .array(observableTypeInput)
  .max(OBSERVABLE_TYPES.length)
  .transform((list) => [...new Set(list)])
