import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'
import type { Filter, Versions } from './filter.ts'

/** A page ends early where it would become larger than this, in bytes; it has one object at least. */
const LARGEST = 16 * 1024 * 1024

export interface Page<R> {
  readonly rows: readonly R[]
  readonly more: boolean
}

/** What stands in the order of a collection. */
export interface Added {
  readonly added_at: string
}

export interface ObjectRow extends Added {
  readonly object: string
}

export interface ManifestRow extends Added {
  readonly stix_id: string
  readonly version: string
  /** The version in the words of the object, where it says one. */
  readonly said: string | null
}

/** A page of the objects of a collection as they are stored, in the order in which they were added. */
export async function readObjects(ctx: Context, feed: number, filter: Filter): Promise<Page<ObjectRow>> {
  const { rows } = await sql<Added & { object: string | null }>`
    select added_at, case when before < ${LARGEST} then object end as object
    from (
      select added_at, object,
        sum(octet_length(object)) over (order by added_at rows unbounded preceding) - octet_length(object) as before
      from (${pick(feed, filter, sql`t.added_at, t.object`)}) as picked
    ) as measured
    order by added_at`.execute(ctx.db)
  const page = rows.slice(0, filter.limit).filter((row): row is ObjectRow => row.object !== null)
  return { rows: page, more: rows.length > page.length }
}

/** A page of what is known of the objects of a collection. */
export async function readManifest(ctx: Context, feed: number, filter: Filter): Promise<Page<ManifestRow>> {
  const columns = sql`
    t.added_at, t.stix_id, t.version,
    (select coalesce(o.j ->> 'modified', o.j ->> 'created') from (select t.object::json as j) as o) as said`
  const { rows } = await sql<ManifestRow>`${pick(feed, filter, columns)}`.execute(ctx.db)
  return { rows: rows.slice(0, filter.limit), more: rows.length > filter.limit }
}

/** Whether a collection has an object, in whatever version. */
export async function hasObject({ db }: Context, feed: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from collection_objects where feed = ${feed} and stix_id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

/** One more than fits, to see whether there are more. */
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

/** Unless somebody says otherwise, an object is shown as it is by now. */
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
