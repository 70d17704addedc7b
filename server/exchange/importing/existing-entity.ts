import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { extractsOf, type ObservableLink } from '../../intelligence/entities/observables-in.ts'
import { lifetime } from '../../intelligence/origins.ts'
import type { ParsedEntity } from './parse-entity.ts'
import type { VersionedBy } from './version-order.ts'

/** A stored entity, as far as an import has to know it. */
export interface ExistingEntity {
  readonly id: string
  readonly stix_id: string
  readonly is_unresolved: boolean
  readonly is_visible: boolean
  readonly is_unified: boolean
  /** Whether it belongs to a source other than the caller's own. */
  readonly is_foreign: boolean
  readonly version: string | null
  /** When its version was created, if the data itself has no version. */
  readonly modified: string
  /** The tags from its document; null if they were not recorded. */
  readonly brought: readonly string[] | null
  readonly tags: readonly string[]
  readonly attacks: readonly string[]
  readonly taxonomies: readonly number[]
  readonly attachments: readonly string[]
  readonly observables: readonly number[]
  readonly is_withdrawn: boolean
  /** Whether its data marks it as revoked. */
  readonly is_revoked: boolean
}

/** An entity of a document and the stored entity with the same STIX id. */
export interface MatchedEntity {
  readonly parsed: ParsedEntity
  readonly existing: ExistingEntity | undefined
}

/** Whether an entity is stored as more than a placeholder. */
export const isKnown = (
  existing: ExistingEntity | undefined,
): existing is ExistingEntity & { readonly is_unresolved: false } => existing !== undefined && !existing.is_unresolved

/** All observables that an entity of a document names, in its data and next to it. */
export const observablesIn = ({ item }: ParsedEntity): readonly ObservableLink[] => [
  ...(item.observables ?? []),
  ...extractsOf(item.data, item.meta),
]

/** The stored entities with the STIX ids of parsed ones, by STIX id. */
export async function findExisting(
  ctx: Context,
  entities: readonly ParsedEntity[],
  versionedBy: VersionedBy,
): Promise<Map<string, ExistingEntity>> {
  const { rows } = await sql<ExistingEntity>`
    select t.id, t.stix_id, t.is_unresolved, t.is_unified, ${visible(ctx, resourceOf(ctx, 'entities'))} as is_visible, t.tags, t.attacks,
      ${sourceOf(sql`t.vis`)} is distinct from (
        select s.number from sources as s where s.id = ${sightOf(ctx).home}::uuid) as is_foreign,
      t.data ->> ${versionedBy ?? ''}::text as version, ${lifetime}, o.tags as brought, t.is_withdrawn,
      coalesce(t.data -> 'revoked' = 'true'::jsonb, false) as is_revoked,
      array(select l.target from entity_observables as l where l.source = t.id) as observables,
      array(select l.target from entity_taxonomies as l where l.source = t.id) as taxonomies,
      array(select l.target from entity_attachments as l where l.source = t.id) as attachments
    from entities as t left join entity_origins as o on o.source = t.id
    where t.stix_id = any(${entities.flatMap(({ item }) => item.data.id ?? [])}::text[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.stix_id, row]))
}
