import { isLater, momentOf } from '../../formats/stix2/times.ts'

/** How a version relates to the one that is there. */
export type Age = 'older' | 'same' | 'newer'

/** Whether a version is before or after another; times are compared as such, however they are written. */
export function ageOf(version: string, before: string): Age {
  if (momentOf(version) === undefined || momentOf(before) === undefined)
    return version === before ? 'same' : version < before ? 'older' : 'newer'
  if (isLater(version, before)) return 'newer'
  return isLater(before, version) ? 'older' : 'same'
}
