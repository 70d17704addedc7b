import { isRecord } from '../../../domain/record.ts'
import { type Collecting, TransportError } from '../collector.ts'
import type { Calling } from '../connection.ts'
import type { Fetcher } from '../fetcher.ts'
import { hostOf } from '../transport-faults.ts'

/** The media type of TAXII 2.1. */
export const TAXII = { accept: 'application/taxii+json;version=2.1' }

const DOCUMENT_BYTES = 16 * 1024 * 1024
const MOST_ROOTS = 20

type Named = Calling & { readonly collection_id: string }

/** Finds the address of a collection from that of an API root, or from that of the discovery of a server. */
export async function findCollection(fetcher: Fetcher, { configuration, log }: Collecting<Named>): Promise<string> {
  const { url, collection_id } = configuration
  const roots = await rootsAt(fetcher, url)
  for (const [at, root] of roots.entries()) {
    try {
      const found = await collectionIn(fetcher, root, collection_id)
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof TransportError) || at === roots.length - 1) throw error
      log(`An API root was left out: ${error.message}.`)
    }
  }
  throw new TransportError('not-found', `${hostOf(url)} has no collection with this id or alias for who calls`)
}

/** The API roots that an address stands for, the default one first. Servers that tell nothing about a root have one there. */
async function rootsAt(fetcher: Fetcher, url: string): Promise<string[]> {
  const own = withSlash(url)
  const asked = { url: own, what: 'the API root', headers: TAXII, mostBytes: DOCUMENT_BYTES, statuses: [404, 405] }
  const { opened, value } = await fetcher.readJson(asked)
  if (opened.status !== 200 || !isRecord(value) || !('api_roots' in value || 'default' in value)) return [own]
  const listed = Array.isArray(value.api_roots) ? value.api_roots : []
  const roots = [value.default, ...listed].flatMap((root) => {
    const address = typeof root === 'string' ? URL.parse(root, opened.url) : null
    return address ? [withSlash(address.href)] : []
  })
  if (roots.length === 0) throw new TransportError('not-found', `${hostOf(url)} names no API root to who calls`)
  return [...new Set(roots)].slice(0, MOST_ROOTS)
}

async function collectionIn(fetcher: Fetcher, root: string, wanted: string): Promise<string | undefined> {
  const asked = { url: below(root, 'collections/'), what: 'its collections', headers: TAXII }
  const { opened, value } = await fetcher.readJson({ ...asked, mostBytes: DOCUMENT_BYTES, statuses: [404, 405] })
  // A server that lists no collections may still serve them.
  if (opened.status !== 200) return below(root, `collections/${encodeURIComponent(wanted)}/`)
  const collections = isRecord(value) && Array.isArray(value.collections) ? value.collections.filter(isRecord) : []
  const named = (name: unknown) => typeof name === 'string' && name.toLowerCase() === wanted.toLowerCase()
  const found = collections.find(({ id }) => named(id)) ?? collections.find(({ alias }) => named(alias))
  if (!found) return undefined
  if (found.can_read === false)
    throw new TransportError('authentication', `${hostOf(root)} does not let who calls read the collection`)
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
