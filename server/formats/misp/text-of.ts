import type { Json } from '../json/record.ts'
import { uuidOf } from '../stix2/ids.ts'

/** Returns a text member of an object, trimmed; '' if there is none. MISP writes numbers as text or as numbers. */
export function textOf(object: Json, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** The UUID of the event report that holds an entity's description, by which it is recognised on import. */
export const descriptionUuid = (event: string): string => uuidOf('misp-description', event)

/** Whether a member is true, in any of the spellings of MISP. */
export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** Converts seconds since 1970; undefined for 0, which means never, and for anything invalid. */
export function timeOf(seconds: string): string | undefined {
  if (!/^\d{1,11}$/.test(seconds) || Number(seconds) === 0) return undefined
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.000000+00:00`
}

/** Whether an object is marked as deleted. */
export const isDeleted = (object: Json): boolean => isTrue(object.deleted)
