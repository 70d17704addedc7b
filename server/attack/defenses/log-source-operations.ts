import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'

/** The standard operations, except that log sources that something refers to keep their name and cannot be deleted. */
export const logSourceOperations: typeof standard = {
  ...standard,
  upsert: (ctx, resource, items: Item[]) =>
    // The channel is a part of the key, which has to be complete.
    standard.upsert(
      ctx,
      resource,
      items.map((item) => ({ ...item, channel: item.channel ?? '' })),
    ),
  update: async (ctx, resource, id, patch) => {
    if (patch.name !== undefined || patch.channel !== undefined) {
      await lockReferences(ctx)
      // Null resets the channel to its default.
      const channel = patch.channel === undefined ? null : (patch.channel ?? '')
      await requireUnused(ctx, [id], { name: patch.name ?? null, channel })
    }
    return standard.update(ctx, resource, id, patch)
  },
  remove: async (ctx, resource, ids) => {
    await lockReferences(ctx)
    await requireUnused(ctx, ids, null)
    return standard.remove(ctx, resource, ids)
  },
}

/** Waits for writes of references, and keeps further ones from counting on a log source that is about to go. */
async function lockReferences(ctx: Context): Promise<void> {
  await sql`lock table defense_inner_relationships in share mode`.execute(ctx.db)
}

interface Renaming {
  readonly name: unknown
  readonly channel: unknown
}

/** Refuses to delete or rename log sources that something refers to. A renaming to the same name is none. */
async function requireUnused(ctx: Context, ids: readonly Id[], renaming: Renaming | null): Promise<void> {
  const { rows } = await sql<{ name: string; channel: string; count: number }>`
    select t.name, t.channel, count(distinct i.from_defense)::integer as count
    from log_sources as t
    join defense_inner_relationships as i on i.type = 'log-source-references' and i.name = t.name and i.channel = t.channel
    where t.id = any(${ids}::integer[])
      and (${renaming === null} or (t.name, t.channel) <>
        (coalesce(${renaming?.name ?? null}::text, t.name), coalesce(${renaming?.channel ?? null}::text, t.channel)))
    group by t.id
    order by t.id
    limit 100`.execute(ctx.db)
  if (rows.length === 0) return
  throw conflict(
    rows.map(({ name, channel, count }) => {
      const source = `'${name}'${channel === '' ? '' : ` with the channel '${channel}'`}`
      return `${source} is needed by ${count === 1 ? '1 analytic' : `${count} analytics`} and cannot be ${renaming ? 'renamed' : 'deleted'}.`
    }),
  )
}
