import { sql } from 'kysely'
import type { Change } from '../../background/followers/change-log.ts'
import { defineFollower } from '../../background/followers/follower.ts'
import { causedBy } from '../../engine/cause.ts'
import type { Context } from '../../engine/context.ts'
import type { Server } from '../../server.ts'
import { addedLinks } from '../written-links.ts'
import { regroup } from './regroup.ts'

/** Keeps unified entities as the entities that were written make them. */
export const consolidateWritten = defineFollower({
  name: 'consolidation',
  collections: ['entities', 'observables'],
  isIdle: ({ db }) => hasNothingToConsolidate(db),
  handle: async (ctx, changes) => {
    // What consolidation itself wrote are unified entities, from which nothing follows.
    const written = changes.filter(({ cause }) => cause?.kind !== 'consolidation')
    const entities = await changedEntities(ctx, written)
    const cause = causedBy(
      'consolidation',
      '',
      written.map((change) => change.cause),
    )
    await regroup({ ...ctx, cause }, entities)
  },
})

async function hasNothingToConsolidate(db: Server['db']): Promise<boolean> {
  const { rows } = await sql<{ is_idle: boolean }>`
    select not exists (select from consolidation_rules)
      and not exists (select from match_subjects)
      and not exists (select from contributors)
      and not exists (select from assigned_groups) as is_idle`.execute(db)
  return rows[0]?.is_idle ?? false
}

/** The entities that were written, or whose observables changed. */
async function changedEntities(ctx: Context, changes: readonly Change[]): Promise<readonly string[]> {
  const named = idsOf(changes.filter(({ resource }) => resource === 'entities'))
  const removed = idsOf(changes.filter(({ resource, kind }) => resource === 'entities' && kind === 'delete'))
  const observables = changes.filter(({ resource }) => resource === 'observables')
  if (observables.length + removed.length === 0) return named
  const pairs = observables.flatMap(({ id, ids }) =>
    ids.map((observable) => ({ change: id, observable: Number(observable) })),
  )
  const changed = sql`
    select i.change, i.observable from unnest(${pairs.map(({ change }) => change)}::bigint[],
      ${pairs.map(({ observable }) => observable)}::integer[]) as i(change, observable)`
  // The log does not name the entities of removed links: they are found through unified entities, which have the link as well.
  // A unified entity that something else deleted leaves entities that contribute to nothing.
  const { rows } = await sql<{ entity: string }>`
    select l.entity from (${addedLinks(changed)}) as l
    union
    select m.entity from contributors as m
    where m.unified in (
      select l.source from entity_observables as l
      where l.target = any(${idsOf(observables.filter(({ kind }) => kind !== 'create')).map(Number)}::integer[]))
    union
    select e.entity from consolidation_events as e where e.unified = any(${removed}::uuid[]) and e.undone_at is null`.execute(
    ctx.db,
  )
  return [...new Set([...named, ...rows.map(({ entity }) => entity)])]
}

const idsOf = (changes: readonly Change[]): string[] => [...new Set(changes.flatMap(({ ids }) => ids))]
