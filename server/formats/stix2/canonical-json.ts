import { isRecord } from '../../domain/record.ts'

/** JSON in the one form of RFC 8785: members in the order of their names, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value ?? null)
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
  return `{${members.join(',')}}`
}
