import { type Collection, collections } from '../collections.ts'
import type { Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { notFound } from './errors.ts'
import { requireVisible } from './fetch.ts'
import { readId } from './query.ts'
import { type Id, parseId } from './reference.ts'
import type { Incoming, Route, StandardDoc } from './route.ts'
import { routesOf } from './routes.ts'
import { resourceOf } from './select.ts'

type Verb = StandardDoc['verb']

/** The path of a nested resource: `/{owners}/{id}/{segment}`. */
interface Nesting {
  readonly owners: Collection
  readonly segment: string
  /** The field with the object that a row belongs to. Default: `owner`. */
  readonly field?: string
  readonly verbs: readonly Verb[]
  /** The default sort of lists. */
  readonly sort?: string
  /** Refuses an operation on one object that the caller may not do. Throws a 404 if the object belongs to another owner. */
  check?(ctx: Context, owner: Id, id: Id, verb: Verb): Promise<void>
}

interface NestedInput {
  readonly owner: Id
  /** Null for operations on the collection. */
  readonly id: Id | null
  readonly input: unknown
}

/** The endpoints of a resource nested below the objects of another, which are visible to those who see these. */
export const routesBelow = (nesting: Nesting, resource: Resource): readonly Route[] =>
  routesOf(resource).flatMap((route) =>
    'verb' in route.doc && nesting.verbs.includes(route.doc.verb) ? [below(nesting, route, route.doc)] : [],
  )

function below(nesting: Nesting, route: Route, { verb, resource }: StandardDoc): Route<NestedInput> {
  const { owners, segment } = nesting
  const isOne = route.path.endsWith('/:id')
  return {
    method: route.method,
    path: `/${collections[owners].path}/:id/${segment}${isOne ? '/:inner_id' : ''}`,
    permission: route.permission,
    doc: route.doc,
    parse: async (request) => {
      const owner = readOwner(owners, request.params.id)
      const id = isOne ? readId(resource, request.params.inner_id ?? '') : null
      return { owner, id, input: await route.parse(inner(nesting, request, owner)) }
    },
    run: async (ctx, { owner, id, input }) => {
      await requireVisible(ctx, resourceOf(ctx, owners), owner)
      if (id !== null) await nesting.check?.(ctx, owner, id, verb)
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

/** The request as if the resource were not nested. */
const inner = ({ sort, field = 'owner' }: Nesting, request: Incoming, owner: Id): Incoming => ({
  params: { id: request.params.inner_id ?? '' },
  query: { ...(sort && { sort: [sort] }), ...request.query, [`filter[${field}]`]: [String(owner)] },
  headers: request.headers,
  address: request.address,
  // Reading a body of an unsupported type throws, so it is read only on demand.
  get body() {
    return request.body
  },
})
