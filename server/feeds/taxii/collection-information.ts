import { ApiError } from '../../engine/errors.ts'
import type { Route } from '../../engine/route.ts'
import { aliasesOf } from './alias.ts'
import { listCollections, named, shown } from './collections.ts'
import { defineEndpoint, told } from './endpoint.ts'
import * as resources from './resources.ts'
import { ROOT } from './server-information.ts'

export const COLLECTIONS = `${ROOT}/collections`

/** 5.1: the collections that the caller may read or write to. */
const getCollections = defineEndpoint({
  path: COLLECTIONS,
  permission: null,
  doc: {
    operationId: 'list_taxii_collections',
    summary: 'TAXII: the collections that you may read or write to',
    success: { 200: resources.collectionList },
  },
  run: listCollections,
  answer: (all) => {
    const aliases = aliasesOf(all)
    const collections = all.map((collection) => shown(collection, aliases.get(collection)))
    return told(collections.length > 0 ? { collections } : {})
  },
})

/** 5.2: one of them. */
const getCollection = defineEndpoint({
  path: `${COLLECTIONS}/:id`,
  permission: null,
  doc: {
    operationId: 'get_taxii_collection',
    summary: 'TAXII: a collection',
    success: { 200: resources.collection },
    refusals: [404],
  },
  run: async (ctx, { params: { id = '' } }) => {
    // Whether an alias is its own only all of them together tell.
    const all = await listCollections(ctx)
    const found = named(all, id)
    if (!found) throw new ApiError(404, `There is no collection '${id.slice(0, 200)}'.`)
    return shown(found, aliasesOf(all).get(found))
  },
  answer: (collection) => told(collection),
})

export const collectionRoutes: readonly Route[] = [getCollections, getCollection]
