import { isIP } from 'node:net'
import type { LookUp, Subject, TableHit } from '../../function.ts'

const NAMES: ReadonlySet<string> = new Set(['domain', 'host'])

/** The host in an observable: the name itself, the host of a URI, the domain of an e-mail address, or an address. */
export function hostIn({ type, value }: Subject): string | undefined {
  if (NAMES.has(type) || type === 'ipv4' || type === 'ipv6') return value
  if (type === 'email') return value.slice(value.lastIndexOf('@') + 1).toLowerCase()
  const host = type === 'uri' ? URL.parse(value)?.hostname.replace(/^\[|\]$/g, '') : undefined
  return host || undefined
}

/** A name and its parent domains, the longest first: `a.b.example`, `b.example`, `example`. */
export function parentsOf(name: string): string[] {
  const labels = name.toLowerCase().split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

/** Finds an observable as it is, by its host and the parent domains of that, and by the networks that contain its address. */
export async function findAnyWay(
  { rows, rowsAround }: LookUp,
  table: string,
  subject: Subject,
): Promise<readonly TableHit[] | undefined> {
  const host = hostIn(subject)
  if (host !== undefined && isIP(host) !== 0) {
    const around = await rowsAround(table, host)
    if (!around || host === subject.value) return around
    const exact = await rows(table, [subject.value])
    return [...(exact ?? []), ...around]
  }
  return rows(table, [...new Set([subject.value.toLowerCase(), ...(host === undefined ? [] : parentsOf(host))])])
}
