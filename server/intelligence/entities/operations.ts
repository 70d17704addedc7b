import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id } from '../../engine/reference.ts'
import type { Context, Item, Operations } from '../../engine/resource.ts'
import { visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { taxonomyLexeme } from '../../search/lexemes.ts'
import type { EntityItem } from './compose.ts'
import type { SearchPreparation } from './learn.ts'
import { linkObservables, sortOut } from './observable-links.ts'
import type { ObservableLink } from './observables-in.ts'
import { removeEntities } from './remove.ts'
import { lockEntities } from './store.ts'
import { reviseEntity, writeEntities } from './write.ts'

/** What entities do: the standard operations, with all that an entity brings along. */
// biome-ignore lint/suspicious/noExplicitAny: the fields are those of the definition, which names these operations
export const operations: Operations<any, SearchPreparation> = {
  list: standard.list,
  get: standard.get,
  create: async (ctx, resource, item: EntityItem, prepared) => {
    const { rows } = await writeEntities(ctx, resource, [item], { mustBeNew: true, prepared })
    const [row] = rows
    if (!row) throw new TypeError('The entity was not stored.')
    return row
  },
  upsert: (ctx, resource, items: EntityItem[], prepared) => writeEntities(ctx, resource, items, { prepared }),
  update: async (ctx, resource, id, patch: Item, prepared) => {
    const [row] = await lockEntities(ctx, 'id', [String(id)], visible(ctx, resource))
    if (!row?.is_visible) throw notFound(id)
    const current = { id, data: row.data, meta: row.meta }
    const merged = mergeDocuments(resource, current, { data: {}, meta: {}, ...patch })
    await reviseEntity(ctx, resource, row, merged as unknown as EntityItem, prepared)
    return standard.get(ctx, resource, id)
  },
  remove: removeEntities,
  link: async (ctx, resource, id, field, links) => {
    if (field === 'observables') await addObservables(ctx, id, links as readonly ObservableLink[])
    else await standard.link(ctx, resource, id, field, links)
    if (field === 'taxonomies') await refindTaxonomies(ctx, id)
  },
  unlink: async (ctx, resource, id, field, target) => {
    await standard.unlink(ctx, resource, id, field, target)
    if (field !== 'taxonomies') return
    await sql`update entities set search = ts_delete(search, ${taxonomyLexeme(Number(target))}) where id = ${id}`.execute(
      ctx.db,
    )
  },
}

async function addObservables(ctx: Context, id: Id, links: readonly ObservableLink[]): Promise<void> {
  await linkObservables(ctx, sortOut(links.map((observable) => ({ entity: String(id), observable }))))
}

/** An entity is found by all taxonomies that it is linked with. */
async function refindTaxonomies(ctx: Context, id: Id): Promise<void> {
  await sql`
    update entities as t
    set search = t.search || array_to_tsvector(array(
      select ${taxonomyLexeme(0).slice(0, -1)} || l.target from entity_taxonomies as l where l.source = t.id))
    where t.id = ${id}`.execute(ctx.db)
}
