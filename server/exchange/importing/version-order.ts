import { isLater, momentOf } from '../../formats/stix2/times.ts'

/** The property of the data that orders versions; undefined if the version that arrives later is the newer one. */
export type VersionedBy = 'modified' | 'timestamp' | undefined

/** The relation of a version to the stored one. */
export type Age = 'older' | 'same' | 'newer'

/** Compares two versions; times are compared as points in time, in any notation. */
export function compareVersions(version: string, stored: string): Age {
  if (momentOf(version) === undefined || momentOf(stored) === undefined)
    return version === stored ? 'same' : version < stored ? 'older' : 'newer'
  if (isLater(version, stored)) return 'newer'
  return isLater(stored, version) ? 'older' : 'same'
}
