import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import type { CollectionModel } from './collections.ts'
import { nameAttributes, nameOf } from './references.ts'

/** The number of names per request: their ids are in the query string. */
const MAX_NAMES_PER_REQUEST = 200

/** How long to collect ids before requesting their names. */
const WAIT_MS = 10

type Named = Readonly<Record<string, unknown>> & { readonly id: string | number }

interface NameRequest {
  readonly id: string
  resolve(name: string | null): void
  reject(error: unknown): void
}

const pendingRequests = new Map<CollectionModel, NameRequest[]>()

/** The name of an object; null if it does not exist or is not visible. The names of a page are requested together. */
export const nameQuery = (model: CollectionModel, id: string) =>
  queryOptions({
    queryKey: [model.path, 'name', id],
    queryFn: () => requestName(model, id),
    staleTime: 60_000,
  })

function requestName(model: CollectionModel, id: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const waiting = pendingRequests.get(model) ?? []
    if (waiting.length === 0) {
      pendingRequests.set(model, waiting)
      setTimeout(() => loadNames(model), WAIT_MS)
    }
    waiting.push({ id, resolve, reject })
  })
}

function loadNames(model: CollectionModel): void {
  const all = pendingRequests.get(model) ?? []
  pendingRequests.delete(model)
  for (let first = 0; first < all.length; first += MAX_NAMES_PER_REQUEST) {
    const some = all.slice(first, first + MAX_NAMES_PER_REQUEST)
    namesOf(
      model,
      some.map(({ id }) => id),
    ).then(
      (names) => {
        for (const { id, resolve } of some) resolve(names.get(id) ?? null)
      },
      (error: unknown) => {
        for (const { reject } of some) reject(error)
      },
    )
  }
}

async function namesOf(model: CollectionModel, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const asked = {
    'filter[id]': [...new Set(ids)],
    attributes: nameAttributes(model.shown),
    limit: MAX_NAMES_PER_REQUEST,
  }
  const { data } = await call<Page<Named>>('GET', `${model.path}${searchOf(asked)}`)
  return new Map(data.map((object) => [String(object.id), nameOf(object) ?? shortId(String(object.id))]))
}

/** A prefix of an id, long enough to tell it from others. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id)
