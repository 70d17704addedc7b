import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import { metaAsSent } from '../entities/meta.ts'
import { logged } from '../entities/store.ts'
import { afterChange } from '../entity-rules/act-on-stored.ts'

/** Replaces tags by another one, or removes them, on all visible entities. Returns how many entities had one of the tags. */
export async function retag(ctx: Context, tags: readonly string[], into: string | null): Promise<number> {
  const from = tags.filter((tag) => tag !== into)
  if (from.length === 0) return 0
  const { ids, tags: present } = await lockTagged(ctx, from)
  if (ids.length > 0) await replace(ctx, ids, from, into, present)
  await afterChange(ctx, ids, 'meta.tags')
  return ids.length
}

/** Counts the visible entities with a tag. */
export async function countTagged(ctx: Context, tag: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entities as t where ${isTagged(ctx, [tag])}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/**
 * Whether the entity `t` has one of these tags itself: unified entities have those of their contributors. The search index ignores case,
 * so the list of the row decides.
 */
function isTagged(ctx: Context, tags: readonly string[]) {
  const mayBe = toSql(anyLexeme(tags.map(tagLexeme)))
  return sql`${visible(ctx, resourceOf(ctx, 'entities'))} and ${mayBe} and t.tags && ${tags}::text[] and not t.is_unified`
}

/** Locks the entities with one of these tags in the order that all writers use, and returns all of their tags. */
async function lockTagged(ctx: Context, tags: readonly string[]): Promise<{ ids: string[]; tags: string[] }> {
  const { rows } = await sql<{ ids: string[]; tags: string[] }>`
    with found as materialized (
      select t.id, t.tags
      from entities as t
      where ${isTagged(ctx, tags)}
      order by t.stix_id
      for update of t
    )
    select array(select id from found) as ids,
      array(select distinct u.tag from found cross join unnest(found.tags) as u(tag)) as tags`.execute(ctx.db)
  return rows[0] ?? { ids: [], tags: [] }
}

async function replace(
  ctx: Context,
  ids: readonly string[],
  from: readonly string[],
  into: string | null,
  present: readonly string[],
): Promise<void> {
  const added = into === null ? [] : [into]
  // Tags that only differ in case share a lexeme, which must stay until the last of them is removed.
  const lexemes = new Set(from.map(tagLexeme))
  const sharing = [...new Set([...present, ...added])].filter((tag) => lexemes.has(tagLexeme(tag)))
  await sql`
    with sharing as materialized (
      select * from unnest(${sharing}::text[], ${sharing.map(tagLexeme)}::text[]) as s(tag, lexeme)
    ), i as materialized (
      select t.id, n.tags, array(
        select s.lexeme from sharing as s where s.tag = any(t.tags)
        except
        select s.lexeme from sharing as s where s.tag = any(n.tags)
      ) as gone
      from entities as t cross join lateral (
        select coalesce(array_agg(r.tag order by r.position), '{}') as tags
        from (
          select case when u.tag = any(${from}::text[]) then ${into}::text else u.tag end as tag, min(u.position) as position
          from unnest(t.tags) with ordinality as u(tag, position)
          group by 1
        ) as r
        where r.tag is not null
      ) as n
      where t.id = any(${uuidList(ids)}::uuid[])
    ), kept as (
      insert into entity_versions (entity_id, version, vis, at, data, meta)
      select t.id, t.version, t.vis, t.last_updated_at, t.data, ${metaAsSent}
      from entities as t join i on i.id = t.id
    ), changed as (
      update entities as t
      set tags = i.tags,
        search = ts_delete(t.search, i.gone) || array_to_tsvector(${added.map(tagLexeme)}::text[]),
        version = t.version + 1,
        last_updated_at = now()
      from i
      where t.id = i.id
      returning t.id
    ), ${logged(ctx, 'update', sql`changed`)}
    select from changed`.execute(ctx.db)
}
