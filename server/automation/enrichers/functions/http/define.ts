import { z } from 'zod'
import { faultsOf, messageOf } from '../../../../engine/body.ts'
import type { EnricherFunction } from '../../function.ts'
import { checkDefinition, type Fault } from './check.ts'
import { type Definition, definition } from './definition.ts'
import { lookUpWith } from './look-up.ts'
import { parametersSchema } from './parameters.ts'

/** The beginning of the names of functions with a definition. */
const PREFIX = 'http:'

/** A definition that was read, or what is wrong with it: sentences that begin with a path. */
export type ParsedDefinition = { readonly function: EnricherFunction } | { readonly faults: readonly string[] }

/** Reads the definition of a function. Its name is `http:` and the name of the definition. */
export function parseDefinition(name: string, given: unknown): ParsedDefinition {
  const parsed = definition.safeParse(given, { error: messageOf })
  const faults = parsed.success ? checkDefinition(parsed.data) : parsed.error.issues.flatMap(faultsIn)
  if (!parsed.success || faults.length > 0) {
    const issues = faults.map(({ path, message }) => ({
      code: 'custom' as const,
      path: [...path],
      message,
      input: given,
    }))
    return { faults: faultsOf(new z.ZodError(issues), ['definition']) }
  }
  return { function: functionOf(name, parsed.data) }
}

/** The faults of an issue: unknown members one by one, and keys with what is wrong with them. */
function faultsIn(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not a member of definitions' }))
  }
  if (issue.code === 'invalid_key') {
    return [{ path: issue.path, message: `the name ${issue.issues[0]?.message ?? 'is not allowed'}` }]
  }
  return [{ path: issue.path, message: issue.message }]
}

function functionOf(name: string, given: Definition): EnricherFunction {
  const { title, description, set_up, parameters, limits, source_urls, requests } = given
  return {
    name: `${PREFIX}${name}`,
    title,
    description,
    supportedTypes: requests.flatMap(({ types }) => types),
    parameters: parametersSchema(parameters),
    secrets: Object.keys(parameters).filter((each) => parameters[each]?.kind === 'secret'),
    limits,
    isRemote: true,
    requestsPerLookUp: requests.some(({ second }) => second) ? 2 : 1,
    sourceUrls: source_urls,
    setUp: set_up,
    lookUp: lookUpWith(given),
  }
}
