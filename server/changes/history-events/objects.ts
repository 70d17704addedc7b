import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { toId, toUrl } from '../../engine/reference.ts'
import type { Context, Resource } from '../../engine/resource.ts'
import { and, idType, visible } from '../../engine/select.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { hasSeenChange } from './linked.ts'

const SETTINGS = 'configurations'

/** Who sees the values of changes, and what became of objects that are gone. */
export const seesAll = ({ caller }: Pick<Context, 'caller'>): boolean => caller.permissions.has('read audit-trail')

/** The URL of the object of an event. */
export function objectUrl({ baseUrl, resources }: Context, resource: string, id: string): string {
  const known = resources.get(resource as Resource['collection'])
  if (known) return toUrl(baseUrl, known.collection, id)
  return `${baseUrl}/api/v2/${resource}/${id}`
}

interface Named {
  readonly resource: string | undefined
  readonly id: string
}

/** The object that a filter names: by its URL, or by an id that objects of several collections may have. */
export function readObject({ resources }: Context, text: string): Named {
  if (!text.includes('/')) return { resource: undefined, id: text.trim().toLowerCase() }
  for (const collection of resources.keys()) {
    const id = toId(collection, text)
    if (id !== undefined) return { resource: collection, id: String(id) }
  }
  const [path = ''] = text.split('?')
  const [resource, id] = path.replace(/\/$/, '').split('/').slice(-2)
  return resource && id ? { resource, id } : { resource: undefined, id: '' }
}

/**
 * Whose events a caller may see: those of objects that they may read and see. Events of objects that are gone need `read
 * audit-trail`, and are for those who could see the object when it was deleted. An update that did nothing but link the object with others is
 * told to those who see one of these.
 */
export function isEventVisible(ctx: Context, alias: string): RawBuilder<SqlBool> {
  const row = (name: string) => sql.ref(`${alias}.${name}`)
  const readable = [...ctx.resources.values()].filter(
    (resource) => resource.collection !== OWN && ctx.caller.permissions.has(`read ${resource.permission}`),
  )
  const branches = readable.map(
    (resource) =>
      sql`when ${resource.collection} then ${and([
        isObjectVisible(ctx, resource, row('object')),
        ...(resource.collection === 'observables' ? [holdsOneOf(ctx, row('keys'))] : []),
        ...hasSeenChange(ctx, resource, row),
      ])}`,
  )
  const settings = sql`when ${SETTINGS} then ${ctx.caller.permissions.has(`read ${SETTINGS}`)}::boolean`
  return sql`(case ${row('resource')} ${sql.join([...branches, settings], sql` `)} else false end)`
}

const OWN = 'history_events'

/** Observables are shared: an event of one is shown to holders of the key that was written. */
const holdsOneOf = (ctx: Context, keys: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`exists (select from jsonb_array_elements_text(${keys} -> 0) as k(key) where ${holdsKey(ctx, sql`k.key::integer`)})`

function isObjectVisible(ctx: Context, resource: Resource, object: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const table = sql.table(resource.table)
  const isIt = sql`o.id = ${object}::${idType(resource.collection)}`
  if (seesAll(ctx) && !resource.visible) return sql`true`
  const isSeen = sql<SqlBool>`exists (select from ${table} as o where ${isIt} and ${visible(ctx, resource, 'o')})`
  if (!seesAll(ctx)) return isSeen
  return sql`(${isSeen} or (not exists (select from ${table} as o where ${isIt}) and ${wasSeen(ctx, resource, object)}))`
}

/**
 * Whether the caller could see an object that is gone, by what was noted when it was deleted: the keys of which they hold
 * enough now, or the users who saw it. What was deleted before that was noted is for no one.
 */
function wasSeen(ctx: Context, { collection }: Resource, object: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`coalesce((
    select case jsonb_typeof(d.keys)
      when 'array' then not exists (
        select from jsonb_array_elements(d.keys) as l(list)
        where not exists (
          select from jsonb_array_elements(l.list) as k(key)
          where ${holdsKey(ctx, sql`(k.key #>> '{}')::integer`)}))
      when 'object' then d.keys -> 'viewers' @> to_jsonb(${ctx.caller.id}::integer)
      else false end
    from (
      select c.keys -> (array_position(c.ids, ${object}) - 1) as keys
      from changes as c
      where c.ids @> array[${object}] and c.resource = ${collection} and c.kind = 'delete'
      order by c.id desc
      limit 1
    ) as d), false)`
}
