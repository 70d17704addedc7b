import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { v5 } from 'uuid'
import type { Context } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import type { Link } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { contentOf } from '../../intelligence/attachments/content.ts'
import { isStorable, type ParsedEntity } from './parse-entity.ts'

const NAMESPACE = '0f1d4c27-7a35-5d0b-9f4b-64a8c2f3b1de'

/**
 * Stores the attachments of entities, and gives them by the STIX ids of the entities; known attachments are reused. With `isOwnOnly`,
 * those of other sources are not: they would become visible to everyone who sees this source.
 */
export async function attach(
  ctx: Context,
  entities: readonly ParsedEntity[],
  isOwnOnly = false,
): Promise<ReadonlyMap<string, Link[]>> {
  const wanted = entities.flatMap(({ located, item }) =>
    (located.finding.entity.attachments ?? []).flatMap(({ id, filename, bytes }) => {
      if (!isStorable(bytes)) return []
      const data = contentOf(bytes)
      const stixId = String(item.data.id)
      return [{ stixId, id: id ?? v5(`${stixId} ${filename} ${data.sha256}`, NAMESPACE), filename, data }]
    }),
  )
  if (wanted.length === 0) return new Map()
  const attachments = resourceOf(ctx, 'attachments')
  // An attachment that may not be reused is stored again, under an id that is the same for each import.
  const ownId = (id: string) => v5(`${sightOf(ctx).home} ${id}`, NAMESPACE)
  const { rows } = await sql<{ id: string; is_usable: boolean }>`
    select t.id, ${isOwnOnly ? isOfOwnSource(ctx) : visible(ctx, attachments)} as is_usable
    from attachments as t
    where t.id = any(${wanted.flatMap(({ id }) => [id, ownId(id)])}::uuid[])`.execute(ctx.db)
  const known = new Map(rows.map(({ id, is_usable }) => [id, is_usable]))
  const isUsable = (id: string) => known.get(id) !== false
  const linked = wanted.map((each) => ({ ...each, id: [each.id, ownId(each.id)].find(isUsable) ?? makeId() }))
  const fresh = new Map(linked.flatMap((each) => (known.has(each.id) ? [] : [[each.id, each] as const])))
  if (fresh.size > 0) {
    await attachments.operations.upsert?.(
      ctx,
      attachments,
      [...fresh.values()].map(({ id, filename, data }) => ({ id, filename, data })),
    )
  }
  return Map.groupBy(linked, ({ stixId }) => stixId)
}

/** Whether the attachment `t` belongs to an entity of the caller's own source. */
const isOfOwnSource = (ctx: Context): RawBuilder<SqlBool> => sql`exists (
  select from entity_attachments as l join entities as e on e.id = l.source join sources as s on s.number = ${sourceOf(sql`e.vis`)}
  where l.target = t.id and s.id = ${sightOf(ctx).home}::uuid)`
