import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { notFound } from '../../engine/errors.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id } from '../../engine/reference.ts'
import { visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { taxonomyLexeme } from '../../search/lexemes.ts'
import { afterChange } from '../entity-rules/act-on-stored.ts'
import type { EntityItem } from './compose.ts'
import { distinctLinks, linkObservables } from './link-observables.ts'
import type { ObservableLink } from './observables-in.ts'
import { refuseUnified } from './refuse-unified.ts'
import { removeEntities } from './remove.ts'
import type { SearchPreparation } from './search-preparation.ts'
import { lockEntities } from './store.ts'
import { reviseEntity, writeEntities } from './write.ts'

/** The operations of entities: the standard ones, and what is special about writing entities. */
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
    if (row.is_unified) await refuseUnified(ctx, [id])
    const current = { id, data: row.data, meta: row.meta }
    const merged = mergeDocuments(resource, current, { data: {}, meta: {}, ...patch })
    const reading = await reviseEntity(ctx, resource, row, merged as unknown as EntityItem, prepared)
    return standard.get(reading, resource, id)
  },
  remove: async (ctx, resource, ids) => {
    await refuseUnified(ctx, ids)
    await removeEntities(ctx, resource, ids)
  },
  link: async (ctx, resource, id, field, links) => {
    if (DERIVED.has(field)) await refuseUnified(ctx, [id])
    if (field === 'observables') await addObservables(ctx, id, links as readonly ObservableLink[])
    else await standard.link(ctx, resource, id, field, links)
    if (field === 'taxonomies') await addTaxonomyLexemes(ctx, id)
    await afterLinks(ctx, id, field)
  },
  unlink: async (ctx, resource, id, field, target) => {
    if (DERIVED.has(field)) await refuseUnified(ctx, [id])
    await standard.unlink(ctx, resource, id, field, target)
    if (field === 'taxonomies') await removeTaxonomyLexeme(ctx, id, Number(target))
    await afterLinks(ctx, id, field)
  },
}

/** The links of a unified entity that follow from its contributors. Others, such as those with datasets, are its own. */
const DERIVED: ReadonlySet<string> = new Set(['attachments', 'observables', 'taxonomies'])

/** Lets the rules act that read the links which changed. */
async function afterLinks(ctx: Context, id: Id, field: string): Promise<void> {
  if (field === 'taxonomies') await afterChange(ctx, [id], 'meta.taxonomies')
  if (field === 'observables') await afterChange(ctx, [id], 'extracts')
}

async function addObservables(ctx: Context, id: Id, links: readonly ObservableLink[]): Promise<void> {
  await linkObservables(ctx, distinctLinks(links.map((observable) => ({ entity: String(id), observable }))))
}

async function removeTaxonomyLexeme({ db }: Context, id: Id, node: number): Promise<void> {
  await sql`update entities set search = ts_delete(search, ${taxonomyLexeme(node)}) where id = ${id}`.execute(db)
}

/** Adds the taxonomies that an entity is linked with to its search vector. */
async function addTaxonomyLexemes(ctx: Context, id: Id): Promise<void> {
  await sql`
    update entities as t
    set search = t.search || array_to_tsvector(array(
      select ${taxonomyLexeme(0).slice(0, -1)} || l.target from entity_taxonomies as l where l.source = t.id))
    where t.id = ${id}`.execute(ctx.db)
}
