import type { z } from 'zod'
import { isRecord } from '../domain/record.ts'
import { faultsOf, messageOf } from '../engine/body.ts'
import { GIVE_AGAIN, originOf } from '../engine/bound-secrets.ts'
import type { Item, Vault } from '../engine/context.ts'
import { PASS_THROUGH } from '../engine/field-class.ts'

/** What parameters are for: a function of enrichers, or an adapter of detonators. */
interface Reader {
  readonly parameters: z.ZodObject
  /** The parameters that are secrets. */
  readonly secrets: readonly string[]
}

/** Parameters as they are stored: without their secrets, which are sealed separately. */
export interface StoredParameters {
  readonly parameters: Item
  readonly parameter_secrets: string | null
}

/** Parameters with the name of what reads them. */
interface Named {
  readonly reader: string
  readonly parameters: Item
}

interface Sent extends Named {
  readonly isActive: boolean
}

type Checked = { readonly faults: readonly string[] } | Pick<StoredParameters, 'parameters' | 'parameter_secrets'>

/**
 * Validates parameters and separates their secrets. The pass-through token stands for the stored secret, unless the change would send
 * that to another server. What is inactive may lack required parameters. Without a known reader, every text may be a secret.
 */
export function checkParameters(
  vault: Vault,
  known: Reader | undefined,
  { reader, parameters, isActive }: Sent,
  stored: (Named & StoredParameters) | undefined,
): Checked {
  const names = known ? known.secrets : Object.keys(parameters).filter((name) => typeof parameters[name] === 'string')
  const before = secretsOf(vault, stored)
  const faults: string[] = []
  const secrets: Record<string, string> = {}
  for (const [key, given] of secretTextsIn(parameters, names)) {
    const secret = given === PASS_THROUGH ? before[key] : given
    if (secret === undefined) continue
    if (given === PASS_THROUGH && isMoved(reader, parameters, stored))
      faults.push(`parameters.${key.replace(BETWEEN, '.')}: ${GIVE_AGAIN}`)
    secrets[key] = secret
  }
  const open = withoutSecrets(parameters, names)
  const complete = withSecrets(open, secrets)
  const parsed = known?.parameters.safeParse(complete, { error: messageOf })
  if (parsed?.error) faults.push(...faultsOf(seriousIn(parsed.error, complete, isActive), ['parameters']))
  if (faults.length > 0) return { faults }
  const whole: Item = { ...(parsed?.success ? parsed.data : complete) }
  for (const name of names) if (!isRecord(whole[name])) whole[name] = null
  Object.assign(whole, withSecrets(whole, Object.fromEntries(Object.keys(secrets).map((key) => [key, PASS_THROUGH]))))
  const hasSecrets = Object.keys(secrets).length > 0
  return { parameters: whole, parameter_secrets: hasSecrets ? vault.seal(JSON.stringify(secrets)) : null }
}

/** Parameters with their secrets, for a call. Throws if they are not complete. */
export const parametersWithSecrets = (vault: Vault, known: Reader, stored: StoredParameters): Item =>
  known.parameters.parse(withSecrets(stored.parameters, secretsOf(vault, stored)))

/** Between the name of a parameter and that of its member, where the parameter is an object whose texts are secrets. */
const BETWEEN = '\n'

/** The texts that are secrets, by key. */
const secretTextsIn = (parameters: Item, names: readonly string[]): [key: string, given: string][] =>
  names.flatMap((name) => {
    const given = parameters[name]
    const members = isRecord(given)
      ? Object.entries(given).map(([member, inner]) => [`${name}${BETWEEN}${member}`, inner])
      : [[name, given]]
    return members.filter((each): each is [string, string] => typeof each[1] === 'string' && each[1] !== '')
  })

/** Of objects with secrets, the members that are no texts stay. */
const withoutSecrets = (parameters: Item, names: readonly string[]): Item =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => {
      if (!names.includes(name)) return [[name, value]]
      if (!isRecord(value)) return []
      return [[name, Object.fromEntries(Object.entries(value).filter(([, inner]) => typeof inner !== 'string'))]]
    }),
  )

/** Parameters with secrets at their places. */
export function withSecrets(parameters: Item, secrets: Readonly<Record<string, string>>): Item {
  const whole: Item = { ...parameters }
  for (const [key, secret] of Object.entries(secrets)) {
    const [name = '', member] = key.split(BETWEEN)
    const outer = whole[name]
    whole[name] = member === undefined ? secret : { ...(isRecord(outer) ? outer : {}), [member]: secret }
  }
  return whole
}

/** The stored secrets by key. */
export const secretsOf = (vault: Vault, stored: StoredParameters | undefined): Readonly<Record<string, string>> =>
  stored?.parameter_secrets ? JSON.parse(vault.open(stored.parameter_secrets)) : {}

function seriousIn(error: z.ZodError, given: Item, isActive: boolean): z.ZodError {
  if (isActive) return error
  const isGiven = ({ path }: z.core.$ZodIssue) =>
    given[String(path[0])] !== undefined && given[String(path[0])] !== null
  return Object.assign(Object.create(Object.getPrototypeOf(error)), { issues: error.issues.filter(isGiven) })
}

/** Whether a secret would reach a reader or a server that it was not given for. */
function isMoved(reader: string, parameters: Item, stored: Named | undefined): boolean {
  if (!stored) return false
  const known = new Set(readersOf(stored.reader, stored.parameters))
  return readersOf(reader, parameters).some((each) => !known.has(each))
}

const readersOf = (reader: string, parameters: Item): string[] => [
  `function ${reader}`,
  ...Object.entries(parameters).flatMap(([name, value]) => {
    const origin = originOf(value)
    if (origin !== undefined) return [`server ${name} ${origin}`]
    return value === false ? [`without ${name}`] : []
  }),
]
