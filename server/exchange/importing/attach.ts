import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { v5 } from 'uuid'
import { makeId } from '../../engine/ids.ts'
import type { Link } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { contentOf } from '../../intelligence/attachments/content.ts'
import { type Draft, isStorable } from './drafts.ts'

const NAMESPACE = '0f1d4c27-7a35-5d0b-9f4b-64a8c2f3b1de'

/**
 * The attachments of drafts, stored, by the STIX ids of their entities; one that came before is the same again. With `isOwnOnly`,
 * those of other sources are not used: whoever sees this source would see them.
 */
export async function attach(
  ctx: Context,
  drafts: readonly Draft[],
  isOwnOnly = false,
): Promise<ReadonlyMap<string, Link[]>> {
  const wanted = drafts.flatMap(({ located, item }) =>
    (located.finding.entity.attachments ?? []).flatMap(({ id, filename, bytes }) => {
      if (!isStorable(bytes)) return []
      const data = contentOf(bytes)
      const stixId = String(item.data.id)
      return [{ stixId, id: id ?? v5(`${stixId} ${filename} ${data.sha256}`, NAMESPACE), filename, data }]
    }),
  )
  if (wanted.length === 0) return new Map()
  const attachments = resourceOf(ctx, 'attachments')
  // What is not theirs to use is stored once more, under an id of their own that is the same whenever it comes.
  const ownId = (id: string) => v5(`${sightOf(ctx).home} ${id}`, NAMESPACE)
  const { rows } = await sql<{ id: string; is_usable: boolean }>`
    select t.id, ${isOwnOnly ? isOfOwnSource(ctx) : visible(ctx, attachments)} as is_usable
    from attachments as t
    where t.id = any(${wanted.flatMap(({ id }) => [id, ownId(id)])}::uuid[])`.execute(ctx.db)
  const known = new Map(rows.map(({ id, is_usable }) => [id, is_usable]))
  const isFree = (id: string) => known.get(id) !== false
  const theirs = wanted.map((each) => ({ ...each, id: [each.id, ownId(each.id)].find(isFree) ?? makeId() }))
  const fresh = new Map(theirs.flatMap((each) => (known.has(each.id) ? [] : [[each.id, each] as const])))
  if (fresh.size > 0) {
    await attachments.operations.upsert?.(
      ctx,
      attachments,
      [...fresh.values()].map(({ id, filename, data }) => ({ id, filename, data })),
    )
  }
  return Map.groupBy(theirs, ({ stixId }) => stixId)
}

/** Whether the attachment `t` is one of an entity of the caller's own source. */
const isOfOwnSource = (ctx: Context): RawBuilder<SqlBool> => sql`exists (
  select from entity_attachments as l join entities as e on e.id = l.source join sources as s on s.number = ${sourceOf(sql`e.vis`)}
  where l.target = t.id and s.id = ${sightOf(ctx).home}::uuid)`
