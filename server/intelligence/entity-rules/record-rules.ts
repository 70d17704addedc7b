import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import { linksLogged } from '../../engine/log.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { documentList, integerList, uuidList } from '../../fast/binary-arrays.ts'
import { asUsers } from '../../identity/access/as-user.ts'
import { type Effect, effectsOf } from './effects.ts'
import type { Enforced, Enforcement } from './enforce.ts'

/** An entity on which rules acted. */
export interface RuledEntity {
  readonly id: string
  /** Who may know what the rules did. */
  readonly vis: number
  readonly enforced: Enforced
  /** Whether the write changed the row of the entity. */
  readonly isStored: boolean
}

/** The write that rules acted in, and the run of a rule that it belongs to. */
export interface Occasion {
  readonly write: string
  readonly run: string | null
}

/** Adds entities to the datasets of the rules that acted on them, and records what each rule did. */
export async function recordRules(
  ctx: Context,
  force: Enforcement,
  entities: readonly RuledEntity[],
  occasion: Occasion,
): Promise<number> {
  const added = await addToDatasets(ctx, force, entities)
  const rows = entities.flatMap(({ id, vis, enforced, isStored }) => {
    const effects = isStored ? effectsOf(enforced) : new Map<number, Effect[]>()
    return enforced.rules.flatMap((rule) => {
      const datasets = rule.datasets.filter((dataset) => added.has(`${id} ${dataset}`))
      const own = [
        ...(effects.get(rule.id) ?? []),
        ...datasets.map((value): Effect => ({ kind: 'dataset_added', value })),
      ]
      return own.length === 0 ? [] : [{ rule: rule.id, entity: id, vis, effects: own }]
    })
  })
  if (rows.length > 0) {
    await sql`
      insert into entity_rule_effects (id, rule, entity, write, run, vis, effects)
      select i.id, i.rule, i.entity, ${occasion.write}::uuid, ${occasion.run}::uuid, i.vis, i.effects
      from unnest(
        ${uuidList(rows.map(() => makeId()))}::uuid[],
        ${integerList(rows.map(({ rule }) => rule))}::integer[],
        ${uuidList(rows.map(({ entity }) => entity))}::uuid[],
        ${integerList(rows.map(({ vis }) => vis))}::integer[],
        ${documentList(rows.map(({ effects }) => JSON.stringify(effects)))}::jsonb[]) as i(id, rule, entity, vis, effects)`.execute(
      ctx.db,
    )
  }
  await recordState(ctx, force)
  return new Set(rows.map(({ entity }) => entity)).size
}

/** Adds entities to static datasets that the owners of the rules see. Gives the added pairs of entity and dataset. */
async function addToDatasets(
  ctx: Context,
  force: Enforcement,
  entities: readonly RuledEntity[],
): Promise<ReadonlySet<string>> {
  const wanted = entities.flatMap(({ id, enforced }) =>
    enforced.rules.flatMap(({ id: rule, owner, datasets }) =>
      datasets.map((dataset) => ({ entity: id, rule, owner: owner ?? 0, dataset })),
    ),
  )
  if (wanted.length === 0) return new Set()
  const allowed = await usableDatasets(ctx, wanted)
  const usable = wanted.filter(({ owner, dataset }) => allowed.has(`${owner} ${dataset}`))
  for (const { rule, owner, dataset } of wanted) {
    if (allowed.has(`${owner} ${dataset}`)) continue
    force.warnings.set(rule, `Nothing was added to the dataset ${dataset}: its owner cannot see it, or it is dynamic.`)
  }
  const { rows } = await sql<{ id: string; target: number }>`
    with made as (
      insert into dataset_entities (source, target)
      select distinct * from unnest(
        ${integerList(usable.map(({ dataset }) => dataset))}::integer[],
        ${uuidList(usable.map(({ entity }) => entity))}::uuid[])
      order by 1, 2
      on conflict do nothing
      returning target as id, source as target
    ), ${linksLogged(ctx, resourceOf(ctx, 'entities'), 'datasets', 'link', sql`made`)}
    select id, target from made`.execute(ctx.db)
  return new Set(rows.map(({ id, target }) => `${id} ${target}`))
}

interface Use {
  readonly owner: number
  readonly dataset: number
}

/** The static datasets that owners see, as pairs of owner and dataset, in two statements. */
export async function usableDatasets(ctx: Context, uses: readonly Use[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(uses.map(({ dataset }) => dataset))]
  const owners = await asUsers(ctx, [...new Set(uses.map(({ owner }) => owner))])
  const datasets = resourceOf(ctx, 'datasets')
  const branches = [...owners].map(
    ([id, caller]): RawBuilder<unknown> => sql`
      select ${id}::integer as owner, d.id from datasets as d
      where d.id = any(${ids}::integer[]) and d.search_query is null and d.relational_query is null
        and ${visible({ ...ctx, caller }, datasets, 'd')}`,
  )
  if (branches.length === 0) return new Set()
  const { rows } = await sql<{ owner: number; id: number }>`${sql.join(branches, sql` union all `)}`.execute(ctx.db)
  return new Set(rows.map(({ owner, id }) => `${owner} ${id}`))
}

/** Shows on the rules why they did not act, and what did not work. Rules that another transaction is changing are left out, not waited for. */
async function recordState(ctx: Context, { current, rules, problems, warnings, acted, compared }: Enforcement) {
  const solved = rules.filter(({ id, query }) => current.problems.has(id) && (!query || compared.has(id)))
  const states = new Map<number, { problem?: string | null; warning?: string | null }>()
  const set = (id: number, state: object) => states.set(id, { ...states.get(id), ...state })
  for (const { id } of solved) set(id, { problem: null })
  for (const [id, problem] of problems) if (current.problems.get(id) !== problem) set(id, { problem })
  for (const id of acted) if (current.warnings.has(id) && !warnings.has(id)) set(id, { warning: null })
  for (const [id, warning] of warnings) if (current.warnings.get(id) !== warning) set(id, { warning })
  if (states.size === 0) return
  const list = [...states].map(([id, { problem, warning }]) => ({
    id,
    has_problem: problem !== undefined,
    problem: problem ?? null,
    has_warning: warning !== undefined,
    warning: warning?.slice(0, 1000) ?? null,
  }))
  await sql`
    with i as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
        as i(id integer, has_problem boolean, problem text, has_warning boolean, warning text)
    ), free as materialized (
      select t.id from entity_rules as t where t.id in (select id from i) order by t.id for no key update skip locked
    )
    update entity_rules as t
    set problem = case when i.has_problem then i.problem else t.problem end,
      warning = case when i.has_warning then i.warning else t.warning end
    from i join free on free.id = i.id
    where t.id = i.id`.execute(ctx.db)
}
