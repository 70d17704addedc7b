import { isRecord } from '../../domain/record.ts'
/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A STIX 2 object as JSON. */
export type StixObject = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string }

/** The strings in a list; empty if the value is not a list. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** Whether two JSON values are equal. The order of members does not matter, and undefined members count as absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, i) => isSameJson(item, other[i]))
    )
  if (!isRecord(one) || !isRecord(other)) return false
  const names = Object.keys(one).filter((name) => one[name] !== undefined)
  const others = Object.keys(other).filter((name) => other[name] !== undefined)
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  )
}
