import { isFitting, misfitsIn } from './faults.ts'
import { isStixId } from './ids.ts'
import { needsName } from './properties.ts'
import { type Fields, isSameJson } from './stix-object.ts'

/** What a document said in a property, and what we would write there of our own; absent where there is nothing. */
export interface Remembered {
  readonly said?: unknown
  readonly made?: unknown
}

/** What is remembered of an object: the properties that would not come out as they came in. */
export type Memory = Readonly<Record<string, Remembered>>

/** Compares an object of a document with what would be written of it, and remembers every property that differs. */
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

/** Whether every object gets a property: one of a document that is without it is not written without it. */
const isGiven = (type: string, name: string): boolean =>
  name === 'created' || name === 'modified' || (name === 'name' && needsName(type))

/**
 * Puts back what a document said, wherever we would still write the same as when it came in: it was not changed here since. What
 * is no valid STIX is not put back.
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
  // Each may be fine by itself, and not beside the others.
  for (const name of misfitsIn(object)) {
    if (made[name] === undefined) delete object[name]
    else object[name] = made[name]
  }
  for (const name of misfitsIn(object)) delete object[name]
  return object
}

const FIXED = new Set(['type', 'spec_version'])
