import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import type { CollectionModel } from './collections.ts'
import { nameAttributes, nameOf } from './references.ts'

/** The number of names per request: their ids are in the query string. */
const MOST_AT_ONCE = 200

/** How long to collect ids before requesting their names. */
const WAIT_MS = 10

type Named = Readonly<Record<string, unknown>> & { readonly id: string | number }

interface Wish {
  readonly id: string
  resolve(name: string | null): void
  reject(error: unknown): void
}

const wishes = new Map<CollectionModel, Wish[]>()

/** The name of an object; null if it does not exist or is not visible. The names of a page are requested together. */
export const nameQuery = (model: CollectionModel, id: string) =>
  queryOptions({
    queryKey: [model.path, 'name', id],
    queryFn: () => wished(model, id),
    staleTime: 60_000,
  })

function wished(model: CollectionModel, id: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const waiting = wishes.get(model) ?? []
    if (waiting.length === 0) {
      wishes.set(model, waiting)
      setTimeout(() => fulfil(model), WAIT_MS)
    }
    waiting.push({ id, resolve, reject })
  })
}

function fulfil(model: CollectionModel): void {
  const all = wishes.get(model) ?? []
  wishes.delete(model)
  for (let first = 0; first < all.length; first += MOST_AT_ONCE) {
    const some = all.slice(first, first + MOST_AT_ONCE)
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
  const asked = { 'filter[id]': [...new Set(ids)], attributes: nameAttributes(model.shown), limit: MOST_AT_ONCE }
  const { data } = await call<Page<Named>>('GET', `${model.path}${searchOf(asked)}`)
  return new Map(data.map((object) => [String(object.id), nameOf(object) ?? shortId(String(object.id))]))
}

/** A prefix of an id, long enough to tell it from others. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id)
