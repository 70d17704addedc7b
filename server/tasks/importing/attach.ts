import { sql } from 'kysely'
import { v5 } from 'uuid'
import { makeId } from '../../engine/ids.ts'
import type { Link } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { contentOf } from '../../resources/attachments/content.ts'
import { type Draft, isStorable } from './drafts.ts'

const NAMESPACE = '0f1d4c27-7a35-5d0b-9f4b-64a8c2f3b1de'

/** The attachments of drafts, stored, by the STIX ids of their entities; one that came before is the same again. */
export async function attach(ctx: Context, drafts: readonly Draft[]): Promise<ReadonlyMap<string, Link[]>> {
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
  const { rows } = await sql<{ id: string; is_visible: boolean }>`
    select t.id, ${visible(ctx, attachments)} as is_visible
    from attachments as t
    where t.id = any(${wanted.map(({ id }) => id)}::uuid[])`.execute(ctx.db)
  const known = new Map(rows.map(({ id, is_visible }) => [id, is_visible]))
  // What the caller may not see is not theirs to use: they get one of their own.
  const theirs = wanted.map((each) => (known.get(each.id) === false ? { ...each, id: makeId() } : each))
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
