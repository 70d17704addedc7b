import { CORVUS } from './extension.ts'
import type { StixObject } from './stix-object.ts'
import { stixTimeOf } from './times.ts'

/**
 * When the version of an object was made, for objects that get others and can be revoked; undefined for all others. What
 * every bundle of ours brings along is not taken back.
 */
export function versionOf({ type, id, modified }: StixObject): string | undefined {
  if (type === 'extension-definition' || type === 'marking-definition' || id === CORVUS.id) return undefined
  return stixTimeOf(modified)
}

/** The same object as a later version, from the JSON that it was sent as. */
export const laterVersion = (object: string, modified: string): string =>
  JSON.stringify({ ...JSON.parse(object), modified: stixTimeOf(modified) })

/** The version of an object that takes it back, from the JSON that it was sent as. */
export const revokedVersion = (object: string, modified: string): string =>
  JSON.stringify({ ...JSON.parse(object), modified: stixTimeOf(modified), revoked: true })
