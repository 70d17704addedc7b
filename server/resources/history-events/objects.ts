import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { toId, toUrl } from '../../engine/reference.ts'
import type { Context, Resource } from '../../engine/resource.ts'
import { idType, visible } from '../../engine/select.ts'

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
 * Whose events a caller may see: those of objects that they may read and see, and that are still there. What became of
 * others is for those who see everything; of what they may not see themselves, they do not see it either.
 */
export function isEventVisible(ctx: Context, alias: string): RawBuilder<SqlBool> {
  const row = (name: string) => sql.ref(`${alias}.${name}`)
  const readable = [...ctx.resources.values()].filter(
    (resource) => resource.collection !== OWN && ctx.caller.permissions.has(`read ${resource.permission}`),
  )
  const branches = readable.map(
    (resource) => sql`when ${resource.collection} then ${isObjectVisible(ctx, resource, row('object'))}`,
  )
  const settings = sql`when ${SETTINGS} then ${ctx.caller.permissions.has(`read ${SETTINGS}`)}::boolean`
  return sql`(case ${row('resource')} ${sql.join([...branches, settings], sql` `)} else false end)`
}

const OWN = 'history_events'

function isObjectVisible(ctx: Context, resource: Resource, object: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const table = sql.table(resource.table)
  const isIt = sql`o.id = ${object}::${idType(resource.collection)}`
  if (seesAll(ctx) && !resource.visible) return sql`true`
  const isSeen = sql<SqlBool>`exists (select from ${table} as o where ${isIt} and ${visible(ctx, resource, 'o')})`
  return seesAll(ctx) ? sql`(${isSeen} or not exists (select from ${table} as o where ${isIt}))` : isSeen
}
