import { tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { withAllColumns } from '../../engine/document.ts'
import type { Link } from '../../engine/reference.ts'
import { keyOf } from '../../identity/access/visibility.ts'
import { searchDocument } from '../../search/document.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import type { EntityData } from './entity-data.ts'
import { type EntityMeta, metaMembers, type NewEntity } from './meta.ts'
import type { ObservableLink } from './observables-in.ts'
import type { Resolved } from './references.ts'
import { colourOf, type StoredMeta } from './state.ts'
import type { StoredEntity } from './store.ts'

/** An entity of a request, parsed. */
export interface EntityItem {
  readonly data: EntityData
  readonly meta?: EntityMeta | undefined
  readonly sources?: readonly Link[] | undefined
  readonly observables?: readonly ObservableLink[] | undefined
  readonly attachments?: readonly Link[] | undefined
  readonly datasets?: readonly Link[] | undefined
}

/** The colour that AMBER STRICT is stored as; the setting is read only when a request has that colour. */
export async function downgradeFor(ctx: Context, metas: readonly (EntityMeta | undefined)[]): Promise<'RED' | 'AMBER'> {
  if (!metas.some((meta) => meta?.tlp_color === 'AMBER_STRICT')) return 'RED'
  return (await readSetting(ctx.db, serverSetting)).tlp_amber_strict_downgrade
}

interface Parts extends Resolved {
  readonly id: string
  readonly data: EntityData & { readonly id: string }
  readonly meta: EntityMeta
  readonly sourceNumber: number
  readonly downgrade: 'RED' | 'AMBER'
  /** The search vector, if it was built before. */
  readonly search?: Buffer | undefined
}

/** Builds the row of an entity: columns, visibility key and search vector. */
export function compose({ id, data, meta, sourceNumber, downgrade, taxonomies, attacks, search }: Parts): StoredEntity {
  const colour = colourOf(meta, downgrade)
  const owner: NewEntity = { data, now: '', tlp: null }
  const stored: StoredMeta = {
    ...withoutUnstored(withAllColumns(metaMembers, meta, owner)),
    tlp_color: colour,
    tags: distinct(meta.tags ?? []),
    taxonomies: [...taxonomies],
    attacks: [...attacks],
  }
  const alias = typeof meta.alias === 'string' ? meta.alias : undefined
  return {
    id,
    stix_id: data.id,
    type: data.type,
    vis: keyOf(sourceNumber, tlpRank(colour ?? 'NONE')),
    is_unresolved: false,
    data,
    // Serialised here, because other requests get a turn between two entities.
    text: JSON.stringify(data),
    meta: stored,
    search: search ?? searchDocument({ data, alias, tags: stored.tags, taxonomies, attacks }).vector,
  }
}

/** Leaves out the observables of the meta, which are stored as links. */
const withoutUnstored = ({ manual_extracts: _, ...meta }: EntityMeta): Omit<EntityMeta, 'manual_extracts'> => meta

/** Distinct tags; a set pays off only for long lists. */
function distinct(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim())
  return trimmed.length > 20 ? [...new Set(trimmed)] : trimmed.filter((tag, i) => trimmed.indexOf(tag) === i)
}
