import { useQuery } from '@tanstack/react-query'
import { type ApiDocument, documentQuery } from '../api/document.ts'
import { useMay } from '../api/session.ts'
import { type CollectionModel, collectionsOf, type Verb } from './collections.ts'

const read = new WeakMap<ApiDocument, ReadonlyMap<string, CollectionModel>>()

/** The collections of a document, computed once because there are many. */
function known(document: ApiDocument): ReadonlyMap<string, CollectionModel> {
  const found = read.get(document) ?? collectionsOf(document)
  read.set(document, found)
  return found
}

const NO_COLLECTIONS: ReadonlyMap<string, CollectionModel> = new Map()

/** The OpenAPI document and its collections by page name; empty until loaded. */
export function useApi() {
  const { data: document, error, isPending } = useQuery(documentQuery)
  return { document, collections: document ? known(document) : NO_COLLECTIONS, error, isPending }
}

/** Whether an operation exists and the user has permission for it. */
export function useMayDo(): (verb: Verb | undefined) => boolean {
  const may = useMay()
  return (verb) => verb !== undefined && (verb.permission === undefined || may(verb.permission))
}
