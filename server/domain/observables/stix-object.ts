import type { StixFields } from './definition.ts'

/** Makes objects of STIX that have the value in one property. */
export const stixObject =
  (type: string, property = 'value') =>
  (value: string): StixFields => ({ type, [property]: value })

/** Makes files of STIX that are known by a digest. */
export const stixFile =
  (algorithm: string) =>
  (value: string): StixFields => ({ type: 'file', hashes: { [algorithm]: value } })

/** An IPv6 address of STIX: its schemas accept no address that ends in the notation of IPv4. */
export function ipv6Object(value: string): StixFields {
  const plain = value.replace(/(?<!\d)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  return { type: 'ipv6-addr', value: plain }
}
