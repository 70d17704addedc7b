import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks, stopOwnRuns } from '../../background/owned-tasks.ts'
import { tlpOf } from '../../domain/tlp.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations, Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { withdraw } from '../enrichers/requests/withdraw.ts'
import { type Criterion, type Scope, timeFaults } from './criteria.ts'
import { RULES } from './rule-task.ts'
import { sourceFaults } from './source-faults.ts'

/**
 * The standard operations; in addition, the user who writes a rule becomes its owner, the order of its enrichers is kept, its task is kept up
 * to date, and the runs of an inactive rule are stopped.
 */
export const enrichmentRuleOperations: Operations = {
  ...standard,
  create: async (ctx, resource, item: Item) => {
    const [ready = item] = await withStoredColours(ctx, [item])
    const { id } = await standard.create(ctx, resource, ready)
    const [row] = await completed(ctx, resource, [id], [item])
    return row as AnyRow
  },
  upsert: async (ctx, resource, items: Item[]) => {
    const { rows, created } = await standard.upsert(ctx, resource, await withStoredColours(ctx, items))
    const ids = rows.map(({ id }) => id)
    return { rows: await completed(ctx, resource, ids, items), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    const [ready = patch] = await withStoredColours(ctx, [patch])
    await standard.update(ctx, resource, id, ready)
    const [row] = await completed(ctx, resource, [id], [patch])
    return row as AnyRow
  },
  remove: async (ctx, resource, ids) => {
    await withdraw(ctx.db, isOfRuns(ids), 'The rule was deleted.')
    await removeOwnTasks(ctx, RULES, ids)
    await standard.remove(ctx, resource, ids)
  },
}

/** The requests `r` of runs of these rules. Once the runs are deleted, nothing tells whose look-ups they were. */
const isOfRuns = (ids: readonly Id[]): RawBuilder<SqlBool> => sql`exists (
  select from task_runs as run join enrichment_rules as t on t.task = run.task
  where run.id = r.run and run.ended_at is null and t.id = any(${ids}::integer[]))`

/** Checks written rules and completes what belongs to them. */
async function completed(
  ctx: Context,
  resource: Resource,
  ids: readonly Id[],
  items: readonly Item[],
): Promise<AnyRow[]> {
  await refuseFaults(ctx, ids)
  await sql`update enrichment_rules set owner = ${ctx.caller.id} where id = any(${ids}::integer[])`.execute(ctx.db)
  await keepPositions(ctx, ids, items)
  await keepOwnTasks(ctx.db, RULES, ids)
  const { rows } = await sql<{ id: number }>`
    select id from enrichment_rules where id = any(${ids}::integer[]) and not is_active`.execute(ctx.db)
  await stopOwnRuns(
    ctx,
    RULES,
    rows.map(({ id }) => id),
  )
  return fetchRows(ctx, resource, ids)
}

interface Written extends Scope {
  readonly is_retroactive: boolean
  readonly execution_schedule: unknown
}

/** Responds 400 with everything that is wrong with the rules as they are now. */
async function refuseFaults(ctx: Context, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<Written>`
    select t.criteria, t.is_retroactive, t.execution_schedule, t.time_field, t.time_period
    from unnest(${ids}::integer[]) with ordinality as i(id, place) join enrichment_rules as t on t.id = i.id
    order by i.place`.execute(ctx.db)
  const missing = await sourceFaults(
    ctx,
    rows.map(({ criteria }) => criteria),
  )
  const faults = rows.flatMap((rule, i) =>
    [...timeFaults(rule), ...(missing[i] ?? [])].map((fault) => `${itemPrefix(rows, i)}${fault}`),
  )
  if (faults.length > 0) throw badRequest(faults)
}

/** Keeps the order in which the enrichers of each rule were sent. */
async function keepPositions({ db }: Context, ids: readonly Id[], items: readonly Item[]): Promise<void> {
  const places = items.flatMap(({ enrichers }, i) =>
    ((enrichers ?? []) as readonly Link[]).map(({ id }, position) => ({ rule: ids[i], enricher: id, position })),
  )
  await sql`
    update enrichment_rule_enrichers as l set position = i.position
    from (
      select rule, enricher, min(position) as position
      from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as i(rule integer, enricher integer, position integer)
      group by 1, 2
    ) as i
    where l.source = i.rule and l.target = i.enricher and l.position <> i.position`.execute(db)
}

/** Converts TLP 2.0 colours to the older ones that entities have. */
export async function withStoredColours<T extends Item>(ctx: Context, items: readonly T[]): Promise<T[]> {
  const colours = items.flatMap(({ criteria }) =>
    ((criteria ?? []) as readonly Criterion[]).flatMap(({ tlp }) => tlp ?? []),
  )
  if (colours.length === 0) return [...items]
  const { tlp_amber_strict_downgrade: downgrade } = await readSetting(ctx.db, serverSetting)
  return items.map((item) => {
    const criteria = item.criteria as readonly Criterion[] | undefined | null
    if (!criteria) return item
    return { ...item, criteria: criteria.map((each) => ({ ...each, tlp: each.tlp && tlpOf(each.tlp, downgrade) })) }
  })
}
