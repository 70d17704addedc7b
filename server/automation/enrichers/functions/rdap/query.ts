import { getDomain } from 'tldts'
import type { Subject } from '../../function.ts'

/** What to ask for an observable. */
export interface Query {
  /** The file of IANA that lists the server. */
  readonly file: 'dns' | 'ipv4' | 'ipv6' | 'asn'
  /** What is looked for in that file. */
  readonly key: string
  /** After the address of the server. */
  readonly path: string
}

/** How an observable is asked for; undefined for names that cannot be registered. */
export function queryOf({ type, value }: Subject): Query | undefined {
  if (type === 'asn') {
    const number = value.replace(/^AS/i, '')
    return { file: 'asn', key: number, path: `autnum/${encodeURIComponent(number)}` }
  }
  if (type === 'domain' || type === 'host') {
    const name = getDomain(value, { allowPrivateDomains: false })
    const zone = name?.split('.').at(-1)
    return name && zone ? { file: 'dns', key: zone, path: `domain/${encodeURIComponent(name)}` } : undefined
  }
  const file = type.startsWith('ipv6') ? 'ipv6' : 'ipv4'
  return { file, key: value, path: `ip/${value.split('/').map(encodeURIComponent).join('/')}` }
}
