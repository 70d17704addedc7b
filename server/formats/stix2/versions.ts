import { CORVUS } from './extension.ts'
import type { StixObject } from './stix-object.ts'
import { stixTimeOf } from './times.ts'

/**
 * The version of an object that can have several and can be revoked; undefined for all others. The objects that every bundle of ours
 * contains are never revoked.
 */
export function versionOf({ type, id, modified }: StixObject): string | undefined {
  if (type === 'extension-definition' || type === 'marking-definition' || id === CORVUS.id) return undefined
  return stixTimeOf(modified)
}

/** Creates a later version of an object from the JSON that was sent. */
export const laterVersion = (object: string, modified: string): string =>
  JSON.stringify({ ...JSON.parse(object), modified: stixTimeOf(modified) })

/** Creates the version that revokes an object from the JSON that was sent. */
export const revokedVersion = (object: string, modified: string): string =>
  JSON.stringify({ ...JSON.parse(object), modified: stixTimeOf(modified), revoked: true })
