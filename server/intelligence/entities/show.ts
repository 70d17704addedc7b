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
  readonly is_withdrawn: boolean
}

/** Gives a row of the database its meta as it is answered: whole, with references as URLs. The row is nobody else's. */
export function shown<R extends AnyRow>(ctx: Context, row: R): R {
  // The engine hands on whatever the definition selects.
  const entity = row as unknown as Shown
  if (entity.meta !== undefined) (row as AnyRow).meta = shownMeta(ctx, entity)
  return row
}

/** The meta of an entity as it is answered. */
export function shownMeta(ctx: Context, entity: Shown): Item {
  // Made here, so nobody else's.
  const meta: Item = metaOf(entity)
  meta.attacks = entity.attacks.map((id) => `${ctx.baseUrl}/api/v2/attacks/${id}`)
  meta.taxonomies = entity.taxonomies.map((id) => toUrl(ctx.baseUrl, 'taxonomies', id))
  meta.title = meta.alias ? meta.alias : entity.title
  meta.first_ingest_time = entity.created_at
  meta.ingest_time = entity.last_updated_at
  meta.is_outdated_version = entity.is_outdated
  meta.is_unresolved_idref = entity.is_unresolved
  meta.is_withdrawn = entity.is_withdrawn
  meta.is_unified_entity = false
  meta.is_exempt_from_consolidation = false
  return meta
}
