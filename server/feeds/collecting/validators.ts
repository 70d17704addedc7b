import { createHash } from 'node:crypto'
import type { Item } from '../../engine/resource.ts'

/** What can be sent back in a header. */
const HEADER_VALUE = /^[\t -~\u0080-\u00ff]{1,1000}$/

/**
 * What the cursor keeps of a document to ask whether it has changed. It holds for one address alone, which is kept as a hash: it
 * may hold a secret.
 */
export function validatorsOf(url: string, headers: Readonly<Record<string, string>>): Item {
  return {
    address: addressHash(url),
    etag: kept(headers.etag),
    last_modified: kept(headers['last-modified']),
  }
}

/** The headers that ask for a document only when it has changed since; none where it was never fetched. */
export function conditionsOf(validators: unknown, url: string): Record<string, string> {
  const { address, etag, last_modified } = (validators ?? {}) as Item
  if (address !== addressHash(url)) return {}
  return {
    ...(typeof etag === 'string' && { 'if-none-match': etag }),
    ...(typeof last_modified === 'string' && { 'if-modified-since': last_modified }),
  }
}

/** An address in a form that tells it from others and says nothing else. */
export const addressHash = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 22)

const kept = (value = ''): string | null => (HEADER_VALUE.test(value) ? value : null)
