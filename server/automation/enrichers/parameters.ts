import type { z } from 'zod'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { GIVE_AGAIN, originOf } from '../../engine/bound-secrets.ts'
import type { Item, Vault } from '../../engine/context.ts'
import { PASS_THROUGH } from '../../engine/field-class.ts'
import type { EnricherFunction } from './function.ts'

/** The parameters of an enricher as they are stored: without its secrets, which are sealed separately. */
export interface StoredParameters {
  readonly enricher: string
  readonly parameters: Item
  readonly parameter_secrets: string | null
}

interface Sent {
  readonly enricher: string
  readonly parameters: Item
  readonly isActive: boolean
}

type Checked = { readonly faults: readonly string[] } | Pick<StoredParameters, 'parameters' | 'parameter_secrets'>

/**
 * Validates parameters and separates their secrets. The pass-through token stands for the stored secret, unless the change would send
 * that to another server. An inactive enricher may lack required parameters. Without a known function, every text may be a secret.
 */
export function checkParameters(
  vault: Vault,
  known: EnricherFunction | undefined,
  { enricher, parameters, isActive }: Sent,
  stored: StoredParameters | undefined,
): Checked {
  const names = known ? known.secrets : Object.keys(parameters).filter((name) => typeof parameters[name] === 'string')
  const before = secretsOf(vault, stored)
  const faults: string[] = []
  const secrets: Record<string, string> = {}
  for (const name of names) {
    const given = parameters[name]
    if (typeof given !== 'string' || given === '') continue
    const secret = given === PASS_THROUGH ? before[name] : given
    if (secret === undefined) continue
    if (given === PASS_THROUGH && isMoved(enricher, parameters, stored))
      faults.push(`parameters.${name}: ${GIVE_AGAIN}`)
    secrets[name] = secret
  }
  const open = Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))
  const parsed = known?.parameters.safeParse({ ...open, ...secrets }, { error: messageOf })
  if (parsed?.error)
    faults.push(...faultsOf(seriousIn(parsed.error, { ...open, ...secrets }, isActive), ['parameters']))
  if (faults.length > 0) return { faults }
  const whole: Item = parsed?.success ? { ...parsed.data } : { ...open }
  for (const name of names) whole[name] = secrets[name] === undefined ? null : PASS_THROUGH
  const hasSecrets = Object.keys(secrets).length > 0
  return { parameters: whole, parameter_secrets: hasSecrets ? vault.seal(JSON.stringify(secrets)) : null }
}

/** Parameters with their secrets, for a look-up. Throws if they are not complete. */
export const parametersWithSecrets = (vault: Vault, known: EnricherFunction, stored: StoredParameters): Item =>
  known.parameters.parse({ ...stored.parameters, ...secretsOf(vault, stored) })

/** The stored secrets by name. */
export const secretsOf = (vault: Vault, stored: StoredParameters | undefined): Readonly<Record<string, string>> =>
  stored?.parameter_secrets ? JSON.parse(vault.open(stored.parameter_secrets)) : {}

function seriousIn(error: z.ZodError, given: Item, isActive: boolean): z.ZodError {
  if (isActive) return error
  const isGiven = ({ path }: z.core.$ZodIssue) =>
    given[String(path[0])] !== undefined && given[String(path[0])] !== null
  return Object.assign(Object.create(Object.getPrototypeOf(error)), { issues: error.issues.filter(isGiven) })
}

/** Whether a secret would reach a function or a server that it was not given for. */
function isMoved(enricher: string, parameters: Item, stored: StoredParameters | undefined): boolean {
  if (!stored) return false
  const known = new Set(readersOf(stored.enricher, stored.parameters))
  return readersOf(enricher, parameters).some((reader) => !known.has(reader))
}

const readersOf = (enricher: string, parameters: Item): string[] => [
  `function ${enricher}`,
  ...Object.entries(parameters).flatMap(([name, value]) => {
    const origin = originOf(value)
    if (origin !== undefined) return [`server ${name} ${origin}`]
    return value === false ? [`without ${name}`] : []
  }),
]
