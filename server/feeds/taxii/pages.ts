import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Filter, Versions } from './filter.ts'

/** In bytes. A page ends early before it exceeds this, but has at least one object. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024

export interface Page<R> {
  readonly rows: readonly R[]
  readonly more: boolean
}

/** An element of a collection, which is ordered by time of addition. */
export interface Added {
  readonly added_at: string
}

export interface ObjectRow extends Added {
  readonly object: string
}

export interface ManifestRow extends Added {
  readonly stix_id: string
  readonly version: string
  /** The version as the object states it, if it does. */
  readonly said: string | null
}

/** Reads a page of stored objects of a collection, in the order in which they were added. */
export async function readObjects(ctx: Context, feed: number, filter: Filter): Promise<Page<ObjectRow>> {
  const { rows } = await sql<Added & { object: string | null }>`
    select added_at, case when before < ${MAX_PAGE_BYTES} then object end as object
    from (
      select added_at, object,
        sum(octet_length(object)) over (order by added_at rows unbounded preceding) - octet_length(object) as before
      from (${pick(feed, filter, sql`t.added_at, t.object`)}) as picked
    ) as measured
    order by added_at`.execute(ctx.db)
  const page = rows.slice(0, filter.limit).filter((row): row is ObjectRow => row.object !== null)
  return { rows: page, more: rows.length > page.length }
}

/** Reads a page of the manifest of a collection. */
export async function readManifest(ctx: Context, feed: number, filter: Filter): Promise<Page<ManifestRow>> {
  const columns = sql`
    t.added_at, t.stix_id, t.version,
    (select coalesce(o.j ->> 'modified', o.j ->> 'created') from (select t.object::json as j) as o) as said`
  const { rows } = await sql<ManifestRow>`${pick(feed, filter, columns)}`.execute(ctx.db)
  return { rows: rows.slice(0, filter.limit), more: rows.length > filter.limit }
}

/** Whether a collection has any version of an object. */
export async function hasObject({ db }: Context, feed: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from collection_objects where feed = ${feed} and stix_id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

/** Selects one row more than the limit, to see whether there are more. */
const pick = (
  feed: number,
  { limit, after, ...filter }: Filter,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${columns}
  from collection_objects as t
  where t.feed = ${feed} and t.added_at > ${after ?? '-infinity'}::timestamptz
    and ${isAmong('stix_id', filter.ids)} and ${isAmong('type', filter.types)}
    and ${isAmong('spec_version', filter.specVersions)} and ${isOf(filter.versions)}
  order by t.added_at
  limit ${limit + 1}`

const TRUE = sql<SqlBool>`true`

const isAmong = (column: string, values: readonly string[] | null): RawBuilder<SqlBool> =>
  values === null ? TRUE : sql`t.${sql.ref(column)} = any(${values}::text[])`

const isFirst = sql<SqlBool>`not exists (
  select from collection_objects as o where o.feed = t.feed and o.stix_id = t.stix_id and o.version < t.version)`

/** By default, only the latest version of an object is returned. */
function isOf(versions: Versions | null): RawBuilder<SqlBool> {
  const { named, at } = versions ?? { named: ['last'], at: [] }
  if (named.includes('all')) return TRUE
  const wanted = [
    ...(named.includes('last') ? [sql`t.is_latest`] : []),
    ...(named.includes('first') ? [isFirst] : []),
    ...(at.length > 0 ? [sql`t.version = any(${at}::timestamptz[])`] : []),
  ]
  return sql`(${sql.join(wanted, sql` or `)})`
}
