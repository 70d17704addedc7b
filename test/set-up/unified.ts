import { sql } from 'kysely'
import type { Choices } from '../../server/automation/consolidation/composing/contributor.ts'
import { storeUnified, type UnifiedGroup } from '../../server/automation/consolidation/composing/store-unified.ts'
import type { Context } from '../../server/engine/context.ts'
import { makeId } from '../../server/engine/ids.ts'
import { NOBODY } from '../../server/engine/route.ts'
import type { startApp } from '../app.ts'
import { serverOf } from '../followers.ts'

type Corvus = Pick<Awaited<ReturnType<typeof startApp>>, 'db' | 'config'>

export const HIGHEST: Choices = { half_life_choice: 'highest', tlp_choice: 'highest', preferred_source: null }

/** Groups of a type for `storeUnified`, in the source of the first group. */
export async function groupOf(
  { db }: Pick<Corvus, 'db'>,
  contributors: readonly string[],
  more: Partial<UnifiedGroup> = {},
): Promise<UnifiedGroup> {
  const { rows } = await sql<{ type: string; source: number }>`
    select t.type, (select s.number from groups as g join sources as s on s.id = g.source order by g.id limit 1) as source
    from entities as t where t.id = ${contributors[0]}`.execute(db)
  const unified = makeId()
  return {
    unified,
    stixId: `{https://corvus.example/}${rows[0]?.type}-${unified}`,
    isNew: true,
    type: rows[0]?.type ?? '',
    policy: null,
    source: rows[0]?.source ?? 0,
    choices: HIGHEST,
    contributors,
    ...more,
  }
}

/** Stores unified entities with their contributors, as consolidation does. Returns those that were written. */
export async function unify(corvus: Corvus, groups: readonly UnifiedGroup[]): Promise<readonly string[]> {
  const server = await serverOf(corvus as Awaited<ReturnType<typeof startApp>>)
  const pairs = groups.flatMap(({ unified, contributors }) => contributors.map((entity) => ({ unified, entity })))
  return corvus.db.transaction().execute(async (db) => {
    await sql`set constraints all deferred`.execute(db)
    await sql`
      insert into contributors (entity, unified)
      select * from unnest(${pairs.map(({ entity }) => entity)}::uuid[], ${pairs.map(({ unified }) => unified)}::uuid[])
      on conflict (entity) do update set unified = excluded.unified`.execute(db)
    const ctx: Context = { ...server, db, caller: NOBODY, baseUrl: '' }
    return storeUnified(ctx, groups)
  })
}
