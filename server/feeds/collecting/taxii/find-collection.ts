import { isRecord } from '../../../domain/record.ts'
import type { ConnectionSettings } from '../../transports/connection.ts'
import { type Collecting, TransportError } from '../collector.ts'
import type { Fetcher } from '../fetcher.ts'
import { hostOf } from '../transport-errors.ts'

/** The request header that asks for TAXII 2.1. */
export const ACCEPT_TAXII = { accept: 'application/taxii+json;version=2.1' }

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
const MAX_API_ROOTS = 20

type Settings = ConnectionSettings & { readonly collection_id: string }

/** Finds the address of a collection from the address of an API root or of the discovery of a server. */
export async function findCollection(fetcher: Fetcher, { configuration, log }: Collecting<Settings>): Promise<string> {
  const { url, collection_id } = configuration
  const roots = await rootsAt(fetcher, url)
  for (const [at, root] of roots.entries()) {
    try {
      const found = await collectionIn(fetcher, root, collection_id)
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof TransportError) || at === roots.length - 1) throw error
      log(`An API root was skipped: ${error.message}.`)
    }
  }
  throw new TransportError('not-found', `${hostOf(url)} has no collection with this id or alias for these credentials`)
}

/** The API roots of an address, the default one first. An address without discovery is taken for an API root. */
async function rootsAt(fetcher: Fetcher, url: string): Promise<string[]> {
  const own = withSlash(url)
  const asked = {
    url: own,
    what: 'the API root',
    headers: ACCEPT_TAXII,
    mostBytes: MAX_DOCUMENT_BYTES,
    statuses: [404, 405],
  }
  const { opened, value } = await fetcher.readJson(asked)
  if (opened.status !== 200 || !isRecord(value) || !('api_roots' in value || 'default' in value)) return [own]
  const listed = Array.isArray(value.api_roots) ? value.api_roots : []
  const roots = [value.default, ...listed].flatMap((root) => {
    const address = typeof root === 'string' ? URL.parse(root, opened.url) : null
    return address ? [withSlash(address.href)] : []
  })
  if (roots.length === 0)
    throw new TransportError('not-found', `${hostOf(url)} lists no API root for these credentials`)
  return [...new Set(roots)].slice(0, MAX_API_ROOTS)
}

async function collectionIn(fetcher: Fetcher, root: string, wanted: string): Promise<string | undefined> {
  const asked = { url: below(root, 'collections/'), what: 'its collections', headers: ACCEPT_TAXII }
  const { opened, value } = await fetcher.readJson({ ...asked, mostBytes: MAX_DOCUMENT_BYTES, statuses: [404, 405] })
  // A server that does not list its collections may still serve them.
  if (opened.status !== 200) return below(root, `collections/${encodeURIComponent(wanted)}/`)
  const collections = isRecord(value) && Array.isArray(value.collections) ? value.collections.filter(isRecord) : []
  const named = (name: unknown) => typeof name === 'string' && name.toLowerCase() === wanted.toLowerCase()
  const found = collections.find(({ id }) => named(id)) ?? collections.find(({ alias }) => named(alias))
  if (!found) return undefined
  if (found.can_read === false)
    throw new TransportError(
      'authentication',
      `${hostOf(root)} does not allow these credentials to read the collection`,
    )
  return below(root, `collections/${encodeURIComponent(String(found.id ?? wanted))}/`)
}

/** An address below another, which keeps its query. */
export function below(url: string, path: string): string {
  const address = new URL(url)
  address.pathname += path
  return address.href
}

function withSlash(url: string): string {
  const address = new URL(url)
  if (!address.pathname.endsWith('/')) address.pathname += '/'
  return address.href
}
