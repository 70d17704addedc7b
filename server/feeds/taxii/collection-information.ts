import { ApiError } from '../../engine/errors.ts'
import type { Route } from '../../engine/route.ts'
import { aliasesOf } from './alias.ts'
import { collectionResource, findByName, listCollections } from './collections.ts'
import { defineEndpoint, taxiiAnswer } from './endpoint.ts'
import * as resources from './resources.ts'
import { ROOT } from './server-information.ts'

export const COLLECTIONS = `${ROOT}/collections`

/** 5.1: the collections that the caller may read or write to. */
const getCollections = defineEndpoint({
  path: COLLECTIONS,
  permission: null,
  doc: {
    operationId: 'list_taxii_collections',
    summary: 'TAXII: list the collections that you may read or write to',
    success: { 200: resources.collectionList },
  },
  run: listCollections,
  answer: (all) => {
    const aliases = aliasesOf(all)
    const collections = all.map((collection) => collectionResource(collection, aliases.get(collection)))
    return taxiiAnswer(collections.length > 0 ? { collections } : {})
  },
})

/** 5.2: one of them. */
const getCollection = defineEndpoint({
  path: `${COLLECTIONS}/:id`,
  permission: null,
  doc: {
    operationId: 'get_taxii_collection',
    summary: 'TAXII: get a collection',
    success: { 200: resources.collection },
    refusals: [404],
  },
  run: async (ctx, { params: { id = '' } }) => {
    // An alias depends on all collections.
    const all = await listCollections(ctx)
    const found = findByName(all, id)
    if (!found) throw new ApiError(404, `There is no collection '${id.slice(0, 200)}'.`)
    return collectionResource(found, aliasesOf(all).get(found))
  },
  answer: (collection) => taxiiAnswer(collection),
})

export const collectionRoutes: readonly Route[] = [getCollections, getCollection]
