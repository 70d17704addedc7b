import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { logged } from '../../engine/log.ts'
import { visible } from '../../engine/select.ts'
import { documentList, textList, uuidList } from '../../fast/binary-arrays.ts'
import { sourceOf } from '../../identity/access/visibility.ts'

/** A relationship to be stored. */
export interface StoredRelationship {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly key: string
  readonly subtype: string | null
  readonly vis: readonly number[]
  readonly strict_stix_1: boolean
  readonly strict_stix_2: boolean
  readonly data: Item
  readonly meta: Item
  /** Its own id if another relationship has the same ends and key. */
  readonly twin?: string | null
}

const values = sql`i.id, i.source, i.target, i.key, i.subtype, i.vis::integer[], ${sourceOf(sql`(i.vis::integer[])[1]`)},
  i.strict_stix_1, i.strict_stix_2, i.data, i.meta, i.twin`
const columns = sql.raw('id, source, target, key, subtype, vis, home, strict_stix_1, strict_stix_2, data, meta, twin')

/** Inserts relationships, and returns the ids of those that did not exist yet. */
export async function insertRelationships(ctx: Context, rows: readonly StoredRelationship[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const { rows: made } = await sql<{ ids: string[] | null }>`
    with made as (
      insert into relationships (${columns}, created_by, last_updated_by)
      select ${values}, nullif(${ctx.caller.id}::integer, 0), nullif(${ctx.caller.id}::integer, 0)
      from ${rowsOf(rows)}
      order by i.source, i.target, i.key
      on conflict do nothing
      returning id
    ), ${logged(ctx, { collection: 'relationships' }, 'create', sql`made`)}
    select array_agg(id) as ids from made`.execute(ctx.db)
  return new Set(made[0]?.ids ?? [])
}

/** The difference between the rows `was` and `t`. Null if ends or visibility changed: readers may not see the previous ones. */
const changed = sql`case when (was.vis, was.source, was.target) = (t.vis, t.source, t.target) then (
  select jsonb_object_agg(v.name, jsonb_build_array(v.before, v.after))
  from (values
    ('data', was.data || jsonb_build_object('key', was.key), t.data || jsonb_build_object('key', t.key)),
    ('meta', was.meta, t.meta)
  ) as v(name, before, after)
  where v.before <> v.after) end`

/** Replaces locked relationships. */
export async function updateRelationships(ctx: Context, rows: readonly StoredRelationship[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    with changed as (
      update relationships as t
      set (${columns}, last_updated_at, last_updated_by) = (select ${values}, now(), nullif(${ctx.caller.id}::integer, 0))
      from ${rowsOf(rows)} join relationships as was on was.id = i.id
      where t.id = i.id
      returning t.id, ${changed} as diff
    ), ${logged(ctx, { collection: 'relationships' }, 'update', sql`changed`, true)}
    select from changed`.execute(ctx.db)
}

/** A relationship that exists already. */
export interface Known {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly key: string
  readonly subtype: string | null
  readonly vis: number[]
  readonly data: Item
  readonly meta: Item
  readonly twin: string | null
  readonly is_visible: boolean
}

/** Locks the relationships with these ids, and the visible ones with these ends. Twins come first. */
export async function lockRelationships(
  ctx: Context,
  resource: Resource,
  wanted: readonly Pick<StoredRelationship, 'id' | 'source' | 'target' | 'key' | 'subtype'>[],
): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select t.id, t.source, t.target, t.key, t.subtype, t.vis, t.data, t.meta, t.twin,
      ${visible(ctx, resource)} as is_visible
    from relationships as t
    where t.id = any(${wanted.map(({ id }) => id)}::uuid[]) or (t.source, t.target, t.key) in (
      select * from unnest(
        ${wanted.map(({ source }) => source)}::uuid[],
        ${wanted.map(({ target }) => target)}::uuid[],
        ${wanted.map(({ key }) => key)}::text[]))
    order by t.id
    for update of t`.execute(ctx.db)
  return rows.sort((a, b) => Number(a.twin === null) - Number(b.twin === null))
}

function rowsOf(rows: readonly StoredRelationship[]) {
  const list = <T>(pick: (row: StoredRelationship) => T): T[] => rows.map(pick)
  return sql`unnest(
    ${uuidList(list(({ id }) => id))}::uuid[],
    ${uuidList(list(({ source }) => source))}::uuid[],
    ${uuidList(list(({ target }) => target))}::uuid[],
    ${textList(list(({ key }) => key))}::text[],
    ${textList(list(({ subtype }) => subtype))}::text[],
    ${list(({ vis }) => `{${vis.join(',')}}`)}::text[],
    ${list(({ strict_stix_1 }) => strict_stix_1)}::boolean[],
    ${list(({ strict_stix_2 }) => strict_stix_2)}::boolean[],
    ${documentList(list(({ data }) => JSON.stringify(data)))}::jsonb[],
    ${documentList(list(({ meta }) => JSON.stringify(meta)))}::jsonb[],
    ${list(({ twin = null }) => twin)}::uuid[]
  ) as i(id, source, target, key, subtype, vis, strict_stix_1, strict_stix_2, data, meta, twin)`
}
