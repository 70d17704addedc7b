import { sql } from 'kysely'
import type { Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { makeId } from '../../engine/ids.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import { standard } from '../../engine/standard.ts'
import { markOutdated } from '../entities/outdated.ts'
import { removePlaceholders } from '../entities/placeholder-references.ts'
import { lockRelationships } from './store.ts'
import { type RelationshipItem, SAME_ENDS, shown, writeRelationships } from './write-relationships.ts'

/** Reads the columns that `data` is composed of when a part of it is requested. */
const withDataColumns = (plan: ListPlan): ListPlan =>
  plan.attributes?.some((path) => /^data\b/.test(path)) ? { ...plan, attributes: [...plan.attributes, 'data'] } : plan

/** The operations of relationships, which look up both ends and create placeholders for unknown ones. */
export const relationshipOperations: Operations = {
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, withDataColumns(plan))
    return { ...page, rows: page.rows.map((row) => shown(ctx, row)) }
  },
  get: async (ctx, resource, id) => shown(ctx, await standard.get(ctx, resource, id)),
  create: async (ctx, resource, item: RelationshipItem) => {
    const { rows, created } = await writeRelationships(ctx, resource, [item])
    if (created === 0) throw conflict(SAME_ENDS)
    return rows[0] ?? { id: '' }
  },
  upsert: (ctx, resource, items: RelationshipItem[]) => writeRelationships(ctx, resource, items),
  update: async (ctx, resource, id, patch: Item) => {
    if (patch.sources === undefined) throw badRequest('sources: is required')
    const [known] = await lockRelationships(ctx, resource, [
      { id: String(id), source: makeId(), target: makeId(), key: '', subtype: null },
    ])
    if (!known?.is_visible) throw notFound(id)
    const { source, target, key, subtype } = known
    const current = { id, data: { ...known.data, source, target, key, ...(subtype && { subtype }) }, meta: known.meta }
    const merged = mergeDocuments(resource, current, { data: {}, meta: {}, ...patch })
    const item = { ...merged, id: String(id) } as unknown as RelationshipItem
    const { rows } = await writeRelationships(ctx, resource, [item], { isWhole: true })
    return rows[0] ?? { id }
  },
  remove: async (ctx, resource, ids) => {
    const { rows } = await sql<{ source: string; target: string; subtype: string | null }>`
      select source, target, subtype from relationships
      where id = any(${ids}::uuid[])`.execute(ctx.db)
    await standard.remove(ctx, resource, ids)
    await markOutdated(
      ctx,
      rows.filter(({ subtype }) => subtype === 'stix_update_of').map(({ target }) => target),
    )
    await removePlaceholders(ctx, { ids: rows.flatMap(({ source, target }) => [source, target]) })
  },
}
