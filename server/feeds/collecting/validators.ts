import { createHash } from 'node:crypto'
import type { Item } from '../../engine/context.ts'

/** Values that can be sent back in a header. */
const HEADER_VALUE = /^[\t -~\u0080-\u00ff]{1,1000}$/

/**
 * The validators of a document, which the cursor keeps to ask whether it has changed. They are valid for one address, which is
 * stored as a hash because it may contain a secret.
 */
export function validatorsOf(url: string, headers: Readonly<Record<string, string>>): Item {
  return {
    address: addressHash(url),
    etag: kept(headers.etag),
    last_modified: kept(headers['last-modified']),
  }
}

/** The headers of a conditional request; none if the document was never fetched. */
export function conditionsOf(validators: unknown, url: string): Record<string, string> {
  const { address, etag, last_modified } = (validators ?? {}) as Item
  if (address !== addressHash(url)) return {}
  return {
    ...(typeof etag === 'string' && { 'if-none-match': etag }),
    ...(typeof last_modified === 'string' && { 'if-modified-since': last_modified }),
  }
}

/** A hash that identifies an address without revealing it. */
export const addressHash = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 22)

const kept = (value = ''): string | null => (HEADER_VALUE.test(value) ? value : null)
