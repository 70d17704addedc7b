import type { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Answer, Route } from '../../engine/route.ts'
import type { Parameter } from '../../http/openapi/parameters.ts'
import { COLLECTIONS } from './collection-information.ts'
import { findReadable, READING } from './collections.ts'
import { defineEndpoint, type TaxiiRequest, timeOf } from './endpoint.ts'
import { type Filter, MAX_PAGE_SIZE, readFilter } from './filter.ts'
import { STIX, TAXII } from './media-type.ts'
import { formatNext } from './next.ts'
import { type Added, hasObject, type Page, readManifest, readObjects } from './pages.ts'
import * as resources from './resources.ts'

/** A part of a collection that is read in pages. */
interface Listing<R extends Added> {
  readonly operationId: string
  readonly summary: string
  /** The path below the collection. */
  readonly path: string
  readonly success: z.ZodType
  /** The name of the list in the resource. */
  readonly list: string
  read(ctx: Context, feed: number, filter: Filter): Promise<Page<R>>
  /** An element of the list, as JSON. */
  print(row: R): string
  /** Whether all versions are listed by default. */
  readonly isOfVersions?: boolean
}

interface Read<R> extends Page<R> {
  /** The value of `next` for the next page; null if there is none. */
  readonly next: string | null
  /** The time after which this page starts. */
  readonly after: string | null
}

function defineListing<R extends Added>(listing: Listing<R>): Route {
  const { operationId, summary, path, success, list, print } = listing
  return defineEndpoint<Read<R>>({
    path: `${COLLECTIONS}/:id${path}`,
    permission: READING,
    doc: { operationId, summary: `TAXII: ${summary}`, query, success: { 200: success }, refusals: [404] },
    run: (ctx, asked) => readPage(ctx, asked, listing),
    answer: (page) => answerOf(page, list, print),
  })
}

async function readPage<R extends Added>(
  ctx: Context,
  { params, query: sent }: TaxiiRequest,
  { path, read, isOfVersions }: Listing<R>,
): Promise<Read<R>> {
  const { id, feed } = await findReadable(ctx, params.id ?? '')
  const object = params.object_id
  const about = JSON.stringify([path, id, object])
  const filter = readFilter(sent, about)
  const page = await read(ctx, feed, object === undefined ? filter : forObject(filter, object, isOfVersions))
  if (object !== undefined && page.rows.length === 0 && !(await hasObject(ctx, feed, object))) {
    throw new ApiError(404, `There is no object '${object.slice(0, 200)}' in this collection.`)
  }
  const addedAt = page.more ? page.rows.at(-1)?.added_at : undefined
  const next = addedAt === undefined ? null : formatNext({ addedAt, options: filter.options }, about)
  return { ...page, next, after: filter.after }
}

const forObject = (filter: Filter, object: string, isOfVersions = false): Filter => ({
  ...filter,
  ids: (filter.ids ?? [object]).filter((id) => id === object),
  versions: filter.versions ?? (isOfVersions ? { named: ['all'], at: [] } : null),
})

/** A time before any object was added. */
const BEGINNING = '1970-01-01T00:00:00.000000+00:00'

/** The response with a page whose elements are JSON texts. An empty page is an empty object. */
function answerOf<R extends Added>(page: Read<R>, list: string, print: (row: R) => string): Answer {
  const { rows, more, after } = page
  const last = rows.at(-1)?.added_at
  const next = page.next === null ? '' : `"next":${JSON.stringify(page.next)},`
  // 3.2: every response has these headers. On an empty page they lead back to the same position.
  const dateOf = (time: string | undefined) => timeOf(time ?? after ?? BEGINNING)
  return {
    status: 200,
    type: TAXII,
    text: rows.length === 0 ? '{}' : `{"more":${more},${next}"${list}":[${rows.map(print).join(',')}]}`,
    headers: { 'x-taxii-date-added-first': dateOf(rows[0]?.added_at), 'x-taxii-date-added-last': dateOf(last) },
  }
}

const MATCH_VALUES = 'Several values can be separated by commas; one has to match.'

const query: readonly Parameter[] = [
  { name: 'added_after', schema: { type: 'string' }, description: 'Only objects added after this time.' },
  { name: 'limit', schema: { type: 'integer' }, description: `Objects in a page, at most ${MAX_PAGE_SIZE}.` },
  {
    name: 'next',
    schema: { type: 'string' },
    description:
      'The value from the previous page. Omitted options keep the values of its request; different values are a 400.',
  },
  { name: 'match[id]', schema: { type: 'string' }, description: MATCH_VALUES },
  { name: 'match[type]', schema: { type: 'string' }, description: MATCH_VALUES },
  { name: 'match[version]', schema: { type: 'string' }, description: `first, last, all, or times. ${MATCH_VALUES}` },
  { name: 'match[spec_version]', schema: { type: 'string' }, description: MATCH_VALUES },
]

/** 5.3, 5.4, 5.6 and 5.8: the content of a collection. */
export const readingRoutes: readonly Route[] = [
  defineListing({
    operationId: 'get_taxii_manifest',
    summary: 'get the manifest of a collection',
    path: '/manifest',
    success: resources.manifest,
    list: 'objects',
    read: readManifest,
    print: ({ stix_id, added_at, version, said }) =>
      JSON.stringify({
        id: stix_id,
        date_added: timeOf(added_at),
        version: said ?? timeOf(version),
        media_type: STIX,
      }),
  }),
  defineListing({
    operationId: 'get_taxii_objects',
    summary: 'get the objects of a collection',
    path: '/objects',
    success: resources.envelope,
    list: 'objects',
    read: readObjects,
    print: ({ object }) => object,
  }),
  defineListing({
    operationId: 'get_taxii_object',
    summary: 'get an object of a collection',
    path: '/objects/:object_id',
    success: resources.envelope,
    list: 'objects',
    read: readObjects,
    print: ({ object }) => object,
  }),
  defineListing({
    operationId: 'list_taxii_versions',
    summary: 'list the versions of an object of a collection',
    path: '/objects/:object_id/versions',
    success: resources.versionList,
    list: 'versions',
    read: readManifest,
    print: ({ version, said }) => JSON.stringify(said ?? timeOf(version)),
    isOfVersions: true,
  }),
]
