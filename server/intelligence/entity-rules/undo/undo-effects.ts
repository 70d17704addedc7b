import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { linksLogged } from '../../../engine/log.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { integerList, uuidList } from '../../../fast/binary-arrays.ts'
import { idsIn, type Snapshot } from '../../by-query/snapshot.ts'
import type { EntityRow } from '../../entities/state.ts'
import { lockEntities, readEntities } from '../../entities/store.ts'
import { storeAgain, storedAgain } from '../act-on-stored.ts'
import { composed, stateOf } from '../enforce.ts'
import { type EffectRow, type TakenBack, takeBack } from './take-back.ts'

/** Which effects of a rule are taken back: those of a run, those since a time, or all. */
export interface UndoScope {
  readonly rule: number
  readonly run?: string | undefined
  readonly since?: string | undefined
}

export interface UndoCounts {
  undone: number
  kept: number
  readonly reasons: Map<string, number>
}

export const noCounts = (): UndoCounts => ({ undone: 0, kept: 0, reasons: new Map() })

/** The counts as they are shown. */
export const shownCounts = ({ undone, kept, reasons }: UndoCounts) => ({
  undone,
  kept,
  reasons: [...reasons].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
})

/** Whether the row `a` of effects is meant. */
const isMeant = ({ rule, run, since }: UndoScope): RawBuilder<SqlBool> => sql`(a.rule = ${rule} and a.undone_at is null
  and (${run ?? null}::uuid is null or a.run = ${run ?? null}::uuid)
  and (${since ?? null}::timestamptz is null or a.created_at >= ${since ?? null}::timestamptz))`

/** The entities that the caller sees and on which there is something to take back. */
export const undoableEntities = (ctx: Context, scope: UndoScope): Promise<Snapshot> =>
  idsIn(
    ctx.db,
    sql`
      select t.id from entities as t
      where t.id in (select a.entity from entity_rule_effects as a where ${isMeant(scope)})
        and ${visible(ctx, resourceOf(ctx, 'entities'))}`,
  )

/** Takes effects on some entities back and adds to the counts. A dry run only counts. */
export async function undoEffects(
  ctx: Context,
  scope: UndoScope,
  ids: readonly string[],
  counts: UndoCounts,
  isDryRun = false,
): Promise<void> {
  const find = isDryRun ? readEntities : lockEntities
  const rows = await find(ctx, 'id', ids, visible(ctx, resourceOf(ctx, 'entities')))
  const seen = rows.filter(({ is_visible, is_unresolved }) => is_visible && !is_unresolved)
  const found = await readEffects(
    ctx,
    scope,
    seen.map(({ id }) => id),
  )
  const results = seen.map((row) => {
    const entity = storedAgain(row)
    const { effects = [], datasets = [] } = found.get(row.id) ?? {}
    const targets = effects.filter(({ is_target }) => is_target).reverse()
    const others = effects.filter(({ is_target }) => !is_target)
    const result = takeBack({ state: stateOf(entity), datasets, targets, others })
    return { row, entity, targets, result }
  })
  for (const { result } of results) count(counts, result)
  if (isDryRun) return
  const changed = results.flatMap(({ row, entity, result }): { row: EntityRow; entity: typeof entity }[] => {
    const next = composed(entity, result.state)
    return result.undone > 0 && isOther(row, next) ? [{ row, entity: next }] : []
  })
  await storeAgain(ctx, changed)
  await leaveDatasets(
    ctx,
    results.flatMap(({ row, result }) => result.leaves.map((dataset) => ({ entity: row.id, dataset }))),
  )
  await markUndone(
    ctx,
    results.flatMap(({ targets, result }) =>
      targets.map(({ id }) => ({ id, kept: result.kept.get(id)?.join(' ') ?? null })),
    ),
  )
}

const isOther = (row: EntityRow, next: { readonly vis: number; readonly data: unknown; readonly meta: unknown }) =>
  row.vis !== next.vis || JSON.stringify([row.data, row.meta]) !== JSON.stringify([next.data, next.meta])

function count(counts: UndoCounts, { undone, kept }: TakenBack): void {
  counts.undone += undone
  for (const reason of [...kept.values()].flat()) {
    counts.kept++
    counts.reasons.set(reason, (counts.reasons.get(reason) ?? 0) + 1)
  }
}

type Found = EffectRow & { readonly is_target: boolean }

interface OfEntity {
  readonly entity: string
  readonly effects: readonly Found[]
  readonly datasets: readonly number[]
}

/** All effects on entities that nobody has taken back, the oldest first, and their datasets. */
async function readEffects(ctx: Context, scope: UndoScope, ids: readonly string[]): Promise<Map<string, OfEntity>> {
  const { rows } = await sql<OfEntity>`
    select i.id as entity, array(
        select jsonb_build_object('id', a.id, 'rule', a.rule, 'write', a.write, 'effects', a.effects, 'is_target', ${isMeant(scope)})
        from entity_rule_effects as a
        where a.entity = i.id and a.undone_at is null and exists (select from entity_rules as r where r.id = a.rule)
        order by a.id) as effects,
      array(select l.source from dataset_entities as l where l.target = i.id) as datasets
    from unnest(${uuidList(ids)}::uuid[]) as i(id)`.execute(ctx.db)
  return new Map(rows.map((row) => [row.entity, row]))
}

async function leaveDatasets(
  ctx: Context,
  links: readonly { readonly entity: string; readonly dataset: number }[],
): Promise<void> {
  if (links.length === 0) return
  await sql`
    with gone as (
      delete from dataset_entities as l
      using unnest(
        ${uuidList(links.map(({ entity }) => entity))}::uuid[],
        ${integerList(links.map(({ dataset }) => dataset))}::integer[]) as g(entity, dataset)
      where l.target = g.entity and l.source = g.dataset
      returning l.target as id, l.source as target
    ), ${linksLogged(ctx, resourceOf(ctx, 'entities'), 'datasets', 'unlink', sql`gone`)}
    select`.execute(ctx.db)
}

async function markUndone(
  ctx: Context,
  rows: readonly { readonly id: string; readonly kept: string | null }[],
): Promise<void> {
  await sql`
    update entity_rule_effects as t set undone_at = now(), kept = i.kept
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ kept }) => kept)}::text[]) as i(id, kept)
    where t.id = i.id`.execute(ctx.db)
}
