import { sql } from 'kysely'
import { readNodes } from '../../attack/classification/nodes.ts'
import { attackOf, faultOf } from '../../attack/classification/references.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { attackLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import type { Change } from './payloads.ts'

/** What is wrong with the attacks of a change. Unknown ones can be removed from the entities that have them. */
export async function unknownAttacks(ctx: Context, change: Change): Promise<string[]> {
  const named = (['added_attacks', 'removed_attacks'] as const).flatMap((field) =>
    change[field].flatMap((value, i) => {
      const id = attackOf(value)
      return id === undefined ? [] : [{ field, id, at: `${field}[${i}]` }]
    }),
  )
  if (named.length === 0) return []
  const nodes = await readNodes(ctx)
  const wrong = named.flatMap((each) => {
    const fault = faultOf(nodes, each.id)
    return fault === undefined ? [] : [{ ...each, fault }]
  })
  const removed = wrong.flatMap(({ field, id }) => (field === 'removed_attacks' ? id : []))
  const used = removed.length === 0 ? new Set<string>() : await usedAmong(ctx, removed)
  return wrong.flatMap(({ field, id, at, fault }) =>
    field === 'removed_attacks' && used.has(id) ? [] : [`${at}: ${fault}`],
  )
}

/** The ones of these ids that visible entities have. */
async function usedAmong(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct a.id
    from entities as t cross join unnest(t.attacks) as a(id)
    where ${toSql(anyLexeme(ids.map(attackLexeme)))} and a.id = any(${ids}::text[]) and ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(
    ctx.db,
  )
  return new Set(rows.map(({ id }) => id))
}
