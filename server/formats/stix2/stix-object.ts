import { isRecord } from '../../domain/record.ts'
/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** An object of STIX 2 as JSON has it. */
export type StixObject = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string }

/** The texts in a list; nothing where it is none. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** Whether two JSON values say the same; the order of members does not count, and a member that is undefined is absent. */
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
