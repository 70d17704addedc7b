import { invalidProperties, isFitting } from './faults.ts'
import { isStixId } from './ids.ts'
import { needsName } from './properties.ts'
import { type Fields, isSameJson } from './stix-object.ts'

/** The original value of a property, and the value that we would write instead. Each is absent if there is none. */
export interface Remembered {
  readonly said?: unknown
  readonly made?: unknown
}

/** The properties of an object that would not survive a round trip. */
export type Memory = Readonly<Record<string, Remembered>>

/** Compares an object with the one we would write, and records every property that differs. */
export function remember(type: string, object: Fields, made: Fields): Memory | undefined {
  const names = new Set([...Object.keys(object), ...Object.keys(made)])
  const differing = [...names].filter(
    (name) => !isSameJson(object[name], made[name]) && !(object[name] === undefined && isGiven(type, name)),
  )
  if (differing.length === 0) return undefined
  return Object.fromEntries(
    differing.map((name) => [
      name,
      {
        ...(object[name] !== undefined && { said: object[name] }),
        ...(made[name] !== undefined && { made: made[name] }),
      },
    ]),
  )
}

/** Whether every written object has this property, even if the original did not. */
const isGiven = (type: string, name: string): boolean =>
  name === 'created' || name === 'modified' || (name === 'name' && needsName(type))

/**
 * Restores the original values of properties that have not been changed in the platform since the import: those for which we would still
 * write the same value as then. Values that are not valid STIX are not restored.
 */
export function recall(type: string, made: Fields, memory: unknown): Record<string, unknown> {
  const object: Record<string, unknown> = { ...made }
  if (typeof memory !== 'object' || memory === null) return object
  for (const [name, remembered] of Object.entries(memory as Memory)) {
    if (typeof remembered !== 'object' || remembered === null || FIXED.has(name)) continue
    if (!isSameJson(made[name], remembered.made)) continue
    if (remembered.said === undefined) delete object[name]
    else if (name === 'id' ? isStixId(remembered.said, type) : isFitting(type, name, remembered.said))
      object[name] = remembered.said
  }
  // Each property may be valid alone but conflict with others.
  for (const name of invalidProperties(object)) {
    if (made[name] === undefined) delete object[name]
    else object[name] = made[name]
  }
  for (const name of invalidProperties(object)) delete object[name]
  return object
}

const FIXED = new Set(['type', 'spec_version'])
