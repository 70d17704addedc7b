import { anyAddressOf } from '../../domain/observables/addresses.ts'
import { note, type Scan, spanIn } from './scan.ts'
import { isInternal, isOfOtherRoot, suffixOf } from './suffixes.ts'

/** Records the host of a URL with its type: an IP address, a domain, or a local host name. */
export function noteHost(scan: Scan, host: string, start: number, end: number): void {
  const span = spanIn(scan, start, end)
  const bare = host.replace(/^\[|\]$/g, '')
  const address = anyAddressOf(bare)
  if (address !== undefined) {
    note(scan, address.includes(':') ? 'ipv6' : 'ipv4', address, span)
    return
  }
  const name = bare.toLowerCase().replace(/\.$/, '')
  if (suffixOf(name).isPublic || isOfOtherRoot(name)) note(scan, 'domain', name, span)
  else if (isInternal(name) || !name.includes('.')) note(scan, 'host', name, span)
}
