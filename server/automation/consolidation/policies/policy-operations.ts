import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks, stopOwnRuns } from '../../../background/owned-tasks.ts'
import { itemPrefix } from '../../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../../engine/context.ts'
import type { Operations, Resource } from '../../../engine/definition.ts'
import { forbidden } from '../../../engine/errors.ts'
import { fetchRows } from '../../../engine/fetch.ts'
import type { Id } from '../../../engine/reference.ts'
import { standard } from '../../../engine/standard.ts'
import { sightOf } from '../../../identity/access/sight.ts'
import { withFreeName, withNames } from './policy-names.ts'
import { policiesWithWork, startDissolution, startPolicyRuns } from './policy-runs.ts'
import { POLICIES } from './policy-task.ts'

/**
 * The standard operations; in addition, policies without a name get one, their tasks are kept up to date, and a change of what a policy
 * consolidates starts a run.
 */
export const policyOperations: Operations = {
  ...standard,
  create: async (ctx, resource, item: Item) => {
    await refuseForeignGroups(ctx, [item], [undefined])
    const { id } = await standard.create(ctx, resource, await withFreeName(ctx, item))
    const [row] = await completed(ctx, resource, [id], [])
    return row as AnyRow
  },
  upsert: async (ctx, resource, sent: Item[]) => {
    const items = await withNames(ctx, sent)
    const before = await statesOf(
      ctx,
      'name',
      items.map(({ name }) => String(name)),
    )
    const known = new Map(before.map((state) => [state.name, state]))
    await refuseForeignGroups(
      ctx,
      items,
      items.map(({ name }) => known.get(String(name))),
    )
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    return { rows: await completed(ctx, resource, ids, before), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    const before = await statesOf(ctx, 'id', [id])
    await refuseForeignGroups(ctx, [patch], before)
    await standard.update(ctx, resource, id, patch.name === undefined ? patch : await renamed(ctx, patch, before))
    const [row] = await completed(ctx, resource, [id], before)
    return row as AnyRow
  },
  remove: async (ctx, resource, ids) => {
    const dissolved = await policiesWithWork(ctx, ids)
    await removeOwnTasks(ctx, POLICIES, ids)
    await standard.remove(ctx, resource, ids)
    await startDissolution(ctx, dissolved)
  },
}

/** A change that resets the name gives the default name. */
async function renamed(ctx: Context, patch: Item, [state]: readonly State[]): Promise<Item> {
  return withFreeName(ctx, { merge_group: state?.merge_group, ...patch }, state?.id)
}

interface State {
  readonly id: number
  readonly name: string
  readonly is_active: boolean
  readonly merge_group: number
}

/** The policies as they are, locked in the order of upserts until the request ends. */
async function statesOf(ctx: Context, field: 'id' | 'name', values: readonly Id[]): Promise<State[]> {
  const { rows } = await sql<State>`
    select id, name, is_active, merge_group from consolidation_rules
    where ${sql.ref(field)} = any(${values}::${sql.raw(field === 'id' ? 'integer' : 'text')}[])
    order by name
    for update`.execute(ctx.db)
  return rows
}

/**
 * Throws a 403 if an item names a group that the caller does not belong to, unless the policy has that group already: unified entities
 * are written to its source.
 */
async function refuseForeignGroups(
  ctx: Context,
  items: readonly Item[],
  before: readonly (State | undefined)[],
): Promise<void> {
  const named = items.flatMap(({ merge_group: group }) => (group === undefined ? [] : Number(group)))
  const { rows } = await sql<{ id: number }>`
    select id from groups where id = any(${named}::integer[]) and source <> all(${sightOf(ctx).own}::uuid[])`.execute(
    ctx.db,
  )
  const foreign = new Set(rows.map(({ id }) => id))
  const faults = items.flatMap(({ merge_group: group }, i) =>
    foreign.has(Number(group)) && before[i]?.merge_group !== group
      ? [`${itemPrefix(items, i)}merge_group: you do not belong to the group '${group}'`]
      : [],
  )
  if (faults.length > 0) throw forbidden(faults)
}

/** Completes what belongs to written policies, and starts runs of those that consolidate something else than before. */
async function completed(
  ctx: Context,
  resource: Resource,
  ids: readonly Id[],
  before: readonly State[],
): Promise<AnyRow[]> {
  await keepOwnTasks(ctx.db, POLICIES, ids)
  const known = new Map(before.map((state) => [state.id, state]))
  const after = await statesOf(ctx, 'id', ids)
  const stopped = after.filter(({ is_active }) => !is_active)
  await stopOwnRuns(
    ctx,
    POLICIES,
    stopped.map(({ id }) => id),
  )
  const changed = after.filter(({ id, is_active, merge_group }) => {
    const was = known.get(id)
    return is_active && !(was?.is_active && was.merge_group === merge_group)
  })
  await startPolicyRuns(
    ctx,
    changed.map(({ id }) => id),
  )
  return fetchRows(ctx, resource, ids)
}
