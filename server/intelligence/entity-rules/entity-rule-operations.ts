import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks, stopOwnRuns, type TaskOwner } from '../../background/owned-tasks.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations, Resource } from '../../engine/definition.ts'
import { badRequest, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { findTaxonomies } from '../entities/references.ts'
import { refuseBadRules, refuseDynamicDatasets } from './check-rules.ts'

/** Each rule has a task that applies it to existing entities. */
export const RULES: TaskOwner = {
  table: 'entity_rules',
  column: 'task',
  type: 'entity-rule',
  title: 'Entity rule',
  parameter: 'rule',
}

/** The standard operations; in addition, the user who writes a rule becomes its owner, and its task is kept up to date. */
// biome-ignore lint/suspicious/noExplicitAny: the fields are those of the definition, which names these operations
export const entityRuleOperations: Operations<any> = {
  ...standard,
  create: async (ctx, resource, item) => {
    const [resolved = {}] = await withTaxonomies(ctx, [item])
    const { id } = await standard.create(ctx, resource, resolved as never)
    const [row] = await completed(ctx, resource, [id])
    return row as AnyRow
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, (await withTaxonomies(ctx, items)) as never)
    const ids = rows.map(({ id }) => id)
    return { rows: await completed(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    const [resolved = {}] = await withTaxonomies(ctx, [patch])
    await standard.update(ctx, resource, id, resolved as never)
    const [row] = await completed(ctx, resource, [id])
    return row as AnyRow
  },
  remove: async (ctx, resource, ids) => {
    await removeOwnTasks(ctx, RULES, ids)
    await standard.remove(ctx, resource, ids)
    await sql`delete from entity_rule_effects where rule = any(${ids}::integer[])`.execute(ctx.db)
  },
  link: async (ctx, resource, id, field, links) => {
    await standard.link(ctx, resource, id, field, links)
    await completed(ctx, resource, [id])
  },
  unlink: async (ctx, resource, id, field, target) => {
    await standard.unlink(ctx, resource, id, field, target)
    await completed(ctx, resource, [id])
  },
}

const TAXONOMIES = ['add_taxonomies', 'remove_taxonomies'] as const

/** Resolves taxonomies that are named by id, URL or path. Responds 400 to unknown ones. */
async function withTaxonomies(ctx: Context, items: readonly Item[]): Promise<Item[]> {
  const namesIn = (item: Item) => TAXONOMIES.flatMap((field) => (item[field] as (string | number)[] | undefined) ?? [])
  const names = items.flatMap(namesIn)
  const known = names.length === 0 ? new Map<string, number>() : await findTaxonomies(ctx, names)
  const faults: string[] = []
  const resolved = items.map((item, position) => {
    const own: Item = { ...item }
    for (const field of TAXONOMIES) {
      const list = item[field] as readonly (string | number)[] | undefined
      if (!list) continue
      const ids = list.flatMap((each, i) => {
        const id = known.get(String(each))
        const where = `${itemPrefix(items, position)}${field}[${i}]`
        if (id === undefined) faults.push(`${where}: there is no taxonomy '${String(each).slice(0, 200)}'`)
        return id ?? []
      })
      own[field] = [...new Set(ids)].map((id) => ({ id }))
    }
    return own
  })
  if (faults.length > 0) throw badRequest(faults)
  return resolved
}

/** Checks written rules, sets their owner and task, and revokes the runs of those that are not active. */
async function completed(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<AnyRow[]> {
  const rows = await fetchRows(ctx, resource, ids)
  if (rows.length < ids.length) throw notFound(ids[0] ?? '')
  refuseBadRules(rows)
  await refuseDynamicDatasets(ctx, ids)
  await sql`
    update entity_rules as t
    set owner = ${ctx.caller.id}, problem = null,
      has_sources = exists (select from entity_rule_sources as l where l.source = t.id)
    where t.id = any(${ids}::integer[])`.execute(ctx.db)
  await keepOwnTasks(ctx.db, RULES, ids)
  const { rows: inactive } = await sql<{ id: number }>`
    select id from entity_rules where id = any(${ids}::integer[]) and not is_active`.execute(ctx.db)
  await stopOwnRuns(
    ctx,
    RULES,
    inactive.map(({ id }) => id),
  )
  return fetchRows(ctx, resource, ids)
}
