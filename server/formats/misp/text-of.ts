import type { Json } from '../json/record.ts'
import { uuidOf } from '../stix2/ids.ts'

/** A text member of an object, trimmed; '' where there is none. MISP writes numbers as either. */
export function textOf(object: Json, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** The UUID under which the description of an entity goes out as a report of its event, and by which it is known when it comes back. */
export const descriptionUuid = (event: string): string => uuidOf('misp-description', event)

/** Whether a member says yes, in any of the ways in which MISP does. */
export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** The time of a number of seconds since 1970; undefined for none and for 0, which stands for never. */
export function timeOf(seconds: string): string | undefined {
  if (!/^\d{1,11}$/.test(seconds) || Number(seconds) === 0) return undefined
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.000000+00:00`
}

/** Whether an object was taken away but still stands in the document. */
export const isDeleted = (object: Json): boolean => isTrue(object.deleted)
