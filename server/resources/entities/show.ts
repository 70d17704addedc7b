import { toUrl } from '../../engine/reference.ts'
import type { AnyRow, Context, Item } from '../../engine/resource.ts'
import { type EntityColumns, metaOf } from './state.ts'

/** What the meta of an entity is made of, beside its document. */
export type Shown = EntityColumns & {
  readonly title: string
  readonly taxonomies: readonly number[]
  readonly created_at: string
  readonly last_updated_at: string
  readonly is_outdated: boolean
  readonly is_unresolved: boolean
}

/** Gives a row of the database its meta as it is answered: whole, with references as URLs. The row is nobody else's. */
export function shown<R extends AnyRow>(ctx: Context, row: R): R {
  // The engine hands on whatever the definition selects.
  const entity = row as unknown as Shown
  return entity.meta === undefined ? row : Object.assign(row, { meta: shownMeta(ctx, entity) })
}

/** The meta of an entity as it is answered. */
export function shownMeta(ctx: Context, entity: Shown): Item {
  const meta = metaOf(entity)
  const { alias } = meta
  return {
    ...meta,
    attacks: entity.attacks.map((id) => `${ctx.baseUrl}/api/v2/attacks/${id}`),
    taxonomies: entity.taxonomies.map((id) => toUrl(ctx.baseUrl, 'taxonomies', id)),
    title: alias ? alias : entity.title,
    first_ingest_time: entity.created_at,
    ingest_time: entity.last_updated_at,
    is_outdated_version: entity.is_outdated,
    is_unresolved_idref: entity.is_unresolved,
    is_unified_entity: false,
    is_exempt_from_consolidation: false,
  }
}
