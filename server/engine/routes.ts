import { collections } from '../collections.ts'
import { createSchema, parseMany, parseOne, patchSchema } from './body.ts'
import type { AnyRow, Context, Item } from './context.ts'
import type { Page, Resource } from './definition.ts'
import { badRequest } from './errors.ts'
import type { ListPlan } from './list-plan.ts'
import { present, project } from './present.ts'
import { planList, readAttributes, readId } from './query.ts'
import { type Id, parseId } from './reference.ts'
import { relationRoutes } from './relations.ts'
import type { Answer, Incoming, Method, Route, StandardDoc } from './route.ts'

/** Every endpoint of a resource. */
export function routesOf(resource: Resource): readonly Route[] {
  const standard = [...standardRoutes(resource), ...relationRoutes(resource)]
  return resource.routes?.(standard) ?? standard
}

function standardRoutes(resource: Resource): Route[] {
  const { list, get, prepare, create, upsert, update, remove } = resource.operations
  const many = `/${collections[resource.collection].path}`
  const one = `${many}/:id`
  const idOf = ({ params }: Incoming): Id => readId(resource, params.id ?? '')
  const show = (ctx: Context, row: AnyRow) => present(ctx, resource, row)
  const route = <I, R>(
    method: Method,
    path: string,
    verb: StandardDoc['verb'],
    rest: Pick<Route<I, R>, 'parse' | 'run' | 'answer' | 'guards' | 'prepare'>,
  ): Route<I, R> => ({
    method,
    path,
    permission: `${method === 'GET' ? 'read' : 'modify'} ${resource.permission}`,
    doc: { resource, verb },
    ...rest,
  })
  const routes: Route[] = []

  if (list) {
    routes.push(
      route('GET', many, 'list', {
        parse: ({ query }) => planList(resource, query),
        run: (ctx, plan: ListPlan) => list(ctx, resource, plan),
        answer: (page: Page, ctx, plan) => answerPage(ctx, resource, page, plan),
      }),
    )
  }
  if (get) {
    routes.push(
      route('GET', one, 'get', {
        parse: (request) => ({ id: idOf(request), attributes: readAttributes(request.query) }),
        run: (ctx, { id }) => get(ctx, resource, id),
        answer: (row, ctx, { attributes }) => ({ status: 200, body: { data: project(show(ctx, row), attributes) } }),
      }),
    )
  }
  if (create) {
    routes.push(
      route('POST', many, 'create', {
        parse: ({ body }) => parseOne(resource, createSchema(resource), body),
        guards: (item) => guardsOf(resource, [item]),
        ...(prepare && { prepare: (ctx, item) => prepare(ctx, [item]) }),
        run: (ctx, item, prepared) => create(ctx, resource, item, prepared),
        answer: (made, ctx) => ({
          status: 201,
          body: { data: Array.isArray(made) ? made.map((row) => show(ctx, row)) : show(ctx, made) },
        }),
      }),
    )
  }
  if (upsert) {
    routes.push(
      route('PUT', many, 'upsert', {
        parse: ({ body }) => parseMany(resource, createSchema(resource), body),
        guards: ({ items }) => guardsOf(resource, items),
        ...(prepare && { prepare: (ctx, { items }) => prepare(ctx, items) }),
        run: (ctx, { items }, prepared) => upsert(ctx, resource, items, prepared),
        answer: ({ rows, created }, ctx, { isSingle }) => {
          const data = rows.map((row) => show(ctx, row))
          return { status: created > 0 ? 201 : 200, body: { data: isSingle ? data[0] : data } }
        },
      }),
    )
  }
  if (update) {
    routes.push(
      route('PATCH', one, 'update', {
        parse: (request) => ({ id: idOf(request), patch: parseOne(resource, patchSchema(resource), request.body) }),
        guards: ({ patch }) => guardsOf(resource, [patch]),
        ...(prepare && { prepare: (ctx, { patch }) => prepare(ctx, [patch]) }),
        run: (ctx, { id, patch }, prepared) => update(ctx, resource, id, patch, prepared),
        answer: (row, ctx) => ({ status: 200, body: { data: show(ctx, row) } }),
      }),
    )
  }
  if (remove) {
    const run = (ctx: Context, ids: Id[]) => remove(ctx, resource, ids)
    const answer = () => ({ status: 204 })
    routes.push(
      route('DELETE', one, 'delete', { parse: (request) => [idOf(request)], run, answer }),
      route('DELETE', many, 'delete_many', { parse: ({ body }) => readIds(resource, body), run, answer }),
    )
  }
  return routes
}

/** The response to a request for a list. */
export function answerPage(
  ctx: Context,
  resource: Resource,
  { rows, cursor, total }: Page,
  { limit, offset, attributes, countOnly }: ListPlan,
): Answer {
  if (countOnly) return { status: 200, body: { total_count: total } }
  const data = rows.map((row) => project(present(ctx, resource, row), attributes))
  return { status: 200, body: { count: data.length, data, limit, offset, total_count: total, cursor } }
}

function readIds(resource: Resource, body: unknown): Id[] {
  const ids = Array.isArray(body) ? body : (body as { data?: unknown } | null | undefined)?.data
  if (!Array.isArray(ids) || ids.length === 0) throw badRequest('The body must be a list of ids.')
  const { id: type } = collections[resource.collection]
  const isPlain = (id: unknown) => typeof id === 'string' || typeof id === 'number'
  const read = ids.map((id) => (isPlain(id) ? parseId(type, String(id)) : undefined))
  const faults = read.flatMap((id, i) => (id === undefined ? [`[${i}]: ${shortly(ids[i])} is not an id.`] : []))
  if (faults.length > 0) throw badRequest(faults)
  return [...new Set(read.filter((id) => id !== undefined))]
}

/** The beginning of an invalid value, to find it by. */
const shortly = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text
}

/** The permissions that a write of these items needs in addition to that of the resource. */
export const guardsOf = ({ fields }: Resource, items: readonly Item[]): string[] =>
  Object.entries(fields).flatMap(([name, { props }]) =>
    props.guard && items.some((item) => item[name] !== undefined) ? [props.guard] : [],
  )
