import { type Collection, collections } from '../collections.ts'
import { notFound } from './errors.ts'
import { requireVisible } from './fetch.ts'
import { readId } from './query.ts'
import { type Id, parseId } from './reference.ts'
import type { Context, Item, Resource } from './resource.ts'
import type { Incoming, Route, StandardDoc } from './route.ts'
import { routesOf } from './routes.ts'
import { resourceOf } from './select.ts'

type Verb = StandardDoc['verb']

/** Where a resource lies: `/{owners}/{id}/{segment}`. Its column `owner` says below which object a row is. */
interface Place {
  readonly owners: Collection
  readonly segment: string
  readonly verbs: readonly Verb[]
  /** The order of a list that does not ask for one. */
  readonly sort?: string
  /** Refuses what the caller may not do with one object; a 404 where it is not below this owner. */
  check?(ctx: Context, owner: Id, id: Id, verb: Verb): Promise<void>
}

interface Asked {
  readonly owner: Id
  /** Where one object is meant. */
  readonly id: Id | null
  readonly input: unknown
}

/** The endpoints of a resource that lies below the objects of another, and is seen by who sees these. */
export const routesBelow = (place: Place, resource: Resource): readonly Route[] =>
  routesOf(resource).flatMap((route) =>
    'verb' in route.doc && place.verbs.includes(route.doc.verb) ? [below(place, route, route.doc)] : [],
  )

function below(place: Place, route: Route, { verb, resource }: StandardDoc): Route<Asked> {
  const { owners, segment } = place
  const isOne = route.path.endsWith('/:id')
  return {
    method: route.method,
    path: `/${collections[owners].path}/:id/${segment}${isOne ? '/:inner_id' : ''}`,
    permission: route.permission,
    doc: route.doc,
    parse: async (request) => {
      const owner = readOwner(owners, request.params.id)
      const id = isOne ? readId(resource, request.params.inner_id ?? '') : null
      return { owner, id, input: await route.parse(inner(place, request, owner)) }
    },
    run: async (ctx, { owner, id, input }) => {
      await requireVisible(ctx, resourceOf(ctx, owners), owner)
      if (id !== null) await place.check?.(ctx, owner, id, verb)
      return route.run(ctx, verb === 'create' ? { ...(input as Item), owner } : input)
    },
    answer: (result, ctx, { input }) => route.answer(result, ctx, input),
  }
}

function readOwner(owners: Collection, text = ''): Id {
  const id = parseId(collections[owners].id, text)
  if (id === undefined) throw notFound(text)
  return id
}

/** The request as if the resource were a collection by itself. */
const inner = ({ sort }: Place, request: Incoming, owner: Id): Incoming => ({
  params: { id: request.params.inner_id ?? '' },
  query: { ...(sort && { sort: [sort] }), ...request.query, 'filter[owner]': [String(owner)] },
  headers: request.headers,
  address: request.address,
  // Reading a body that nobody asks for would be a fault.
  get body() {
    return request.body
  },
})
