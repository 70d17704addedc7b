import { z } from 'zod'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import { string } from '../../../engine/field.ts'
import type { EnricherFunction } from '../function.ts'
import { ownService } from './own-service.ts'

/** The functions that come with the platform. */
export const functions: readonly EnricherFunction[] = [ownService]

/** The function of the platform with a name. */
export const functionNamed = (name: string): EnricherFunction | undefined =>
  functions.find((known) => known.name === name)

/** A definition that was read, or what is wrong with it: sentences that begin with a path. */
export type ParsedDefinition = { readonly function: EnricherFunction } | { readonly faults: readonly string[] }

const definition = z.object({ title: string(1, 200), types: z.array(string(1, 100)).min(1) })

/** Reads the definition of a function that a user wrote. Its name is `http:` and the name of the definition. */
export function parseDefinition(name: string, given: unknown): ParsedDefinition {
  const parsed = definition.safeParse(given, { error: messageOf })
  if (!parsed.success) return { faults: faultsOf(parsed.error, ['definition']) }
  const { title, types } = parsed.data
  return {
    function: {
      name: `http:${name}`,
      title,
      description: '',
      supportedTypes: types,
      parameters: z.object({}),
      secrets: [],
      limits: [],
      isRemote: true,
      requestsPerLookUp: 1,
      setUp: null,
      lookUp: async () => ({ state: 'SKIPPED', reason: 'This version of the platform does not run definitions.' }),
    },
  }
}
