import { sql } from 'kysely'
import { collections } from '../collections.ts'
import { faultsOf, messageOf } from './body.ts'
import type { Context } from './context.ts'
import type { Resource } from './definition.ts'
import { badRequest, notFound } from './errors.ts'
import { requireVisible } from './fetch.ts'
import { checkReferences, refsOf } from './links.ts'
import { type Linked, presentLinks } from './present.ts'
import { readId } from './query.ts'
import { type Id, type Link, parseId } from './reference.ts'
import type { Incoming, Method, Route, StandardDoc } from './route.ts'
import { linksOf, there } from './select.ts'
import { standard } from './standard.ts'
import { touch } from './write.ts'

interface Request {
  readonly id: Id
  readonly links: readonly Link[]
}

/** The endpoints for the links of a resource: `/{collection}/{id}/{field}` and `…/{relation_id}`. */
export const relationRoutes = (resource: Resource): Route[] =>
  linkableFields(resource).flatMap((field) => routesOfRelation(resource, field))

/** The fields whose links have endpoints. */
export const linkableFields = ({ fields }: Resource): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.props.isLinkable)

function routesOfRelation(resource: Resource, field: string): Route[] {
  const { link, unlink } = resource.operations
  const props = resource.fields[field]?.props
  const many = `/${collections[resource.collection].path}/:id/${field}`
  const one = `${many}/:relation_id`
  const owner = ({ params }: Incoming): Id => readId(resource, params.id ?? '')
  const several = (request: Incoming): Request => ({
    id: owner(request),
    links: parseLinks(resource, field, listIn(request.body)),
  })
  const single = (request: Incoming): Request => ({
    id: owner(request),
    links: parseLinks(resource, field, [relationIn(resource, field, request)]),
  })
  const route = (
    method: Method,
    path: string,
    verb: StandardDoc['verb'],
    parse: (request: Incoming) => Request,
    run: (ctx: Context, request: Request) => Promise<readonly Linked[]>,
    answer: Route['answer'] = (links, ctx) => ({
      status: 200,
      body: { data: presentLinks(ctx, resource, field, links) },
    }),
  ): Route => ({
    method,
    path,
    permission: method === 'GET' ? `read ${resource.permission}` : (props?.guard ?? `modify ${resource.permission}`),
    doc: { resource, field, verb },
    parse,
    run,
    answer,
  })
  const add = async (ctx: Context, { id, links }: Request) => {
    await requireVisible(ctx, resource, id)
    await checkReferences(ctx, resource, [{ [field]: links }])
    await link?.(ctx, resource, id, field, links)
    await touch(ctx, resource, id)
    return linksAt(ctx, resource, field, id)
  }
  const list = async (ctx: Context, { id, links: [wanted] }: Request) => {
    await requireVisible(ctx, resource, id)
    const found = await linksAt(ctx, resource, field, id, wanted?.id)
    if (wanted && found.length === 0) throw notFound(wanted.id)
    return found
  }
  const take = async (ctx: Context, request: Request) => {
    const [gone] = await list(ctx, request)
    if (gone !== undefined) await unlink?.(ctx, resource, request.id, field, typeof gone === 'object' ? gone[0] : gone)
    await touch(ctx, resource, request.id)
    return []
  }
  const answerOne: Route['answer'] = (links, ctx) => ({
    status: 200,
    body: { data: presentLinks(ctx, resource, field, links)[0] },
  })
  const reading = [
    route('GET', many, 'list', (request) => ({ id: owner(request), links: [] }), list),
    route('GET', one, 'get', single, list, answerOne),
  ]
  // A field that bodies cannot set may still be linked if the resource has its own operation for it.
  const isClosed = props?.access === 'read-only' && link === standard.link
  if (isClosed || !link || !unlink) return reading
  return [
    ...reading,
    route('POST', many, 'create', several, add),
    route('PUT', many, 'upsert', several, add),
    route('PUT', one, 'update', single, add),
    route('DELETE', one, 'delete', single, take, () => ({ status: 204 })),
  ]
}

function parseLinks(resource: Resource, field: string, values: unknown): Link[] {
  const parsed = resource.fields[field]?.props.input.safeParse(values, { error: messageOf })
  if (!parsed?.success) throw badRequest(parsed ? faultsOf(parsed.error, ['data']) : `There is no field '${field}'.`)
  return parsed.data as Link[]
}

function listIn(body: unknown): unknown[] {
  const content = Array.isArray(body) ? body : (body as { data?: unknown } | null | undefined)?.data
  if (content === undefined || content === null) throw badRequest('data: must be a list of references.')
  return Array.isArray(content) ? content : [content]
}

/** The reference at the end of a path, with the attribute in its query. */
function relationIn(resource: Resource, field: string, { params, query }: Incoming): string {
  const { to, attribute } = refsOf(resource, field)
  const text = params.relation_id ?? ''
  if (parseId(collections[to].id, text) === undefined) throw badRequest(`'${text}' is not an id of ${to}.`)
  const given = attribute && query[attribute.name]?.at(-1)
  return given === undefined ? text : `${text}?${attribute?.name}=${encodeURIComponent(given)}`
}

async function linksAt(ctx: Context, resource: Resource, field: string, id: Id, only?: Id): Promise<Linked[]> {
  const storage = refsOf(resource, field)
  const target = sql`l.${there(storage)}`
  const attribute = storage.attribute ? sql`, l.${sql.ref(storage.attribute.name)} as attribute` : sql``
  const narrowed = only === undefined ? sql`` : sql`and ${target} = ${only}`
  const { rows } = await sql<{ id: Id; attribute?: string }>`
    select ${target} as id ${attribute} ${linksOf(ctx, storage, sql`${id}`)} ${narrowed}
    order by ${target}`.execute(ctx.db)
  return rows.map((row) => (row.attribute === undefined ? row.id : [row.id, row.attribute]))
}
