import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { toId, toUrl } from '../../engine/reference.ts'
import { and, idType, visible } from '../../engine/select.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { hasSeenChange } from './linked.ts'

const SETTINGS = 'configurations'

/** Whether the caller sees the values of changes, and events of deleted objects. */
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

/** Reads the object of a filter: a URL, or an id, which objects of several collections may have. */
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
 * Whether the caller may see an event: they must be able to read and see its object. Events of deleted objects need `read audit-trail`,
 * and are visible to users who could see the object when it was deleted. An update that only linked objects is visible to users who
 * see one of the linked objects.
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

/** Sources share observables, so an event is visible only to holders of the key that was written. */
const holdsOneOf = (ctx: Context, keys: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`exists (select from jsonb_array_elements_text(${keys} -> 0) as k(key) where ${holdsKey(ctx, sql`k.key::integer`)})`

function isObjectVisible(ctx: Context, resource: Resource, object: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const table = sql.table(resource.table)
  const isIt = sql`o.id = ${object}::${idType(resource.collection)}`
  if (seesAll(ctx) && !resource.visibility) return sql`true`
  const isSeen = sql<SqlBool>`exists (select from ${table} as o where ${isIt} and ${visible(ctx, resource, 'o')})`
  if (!seesAll(ctx)) return isSeen
  return sql`(${isSeen} or (not exists (select from ${table} as o where ${isIt}) and ${wasSeen(ctx, resource, object)}))`
}

/**
 * Whether the caller could see a deleted object, according to the record of its deletion: the keys, of which they must hold one of
 * each list now, or the users who saw it. Without such a record, the object is visible to no one.
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
