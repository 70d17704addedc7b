import { tlpRank } from '../../domain/tlp.ts'
import { filled } from '../../engine/document.ts'
import type { Link } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
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

/** An entity as a request gives it. */
export interface EntityItem {
  readonly data: EntityData
  readonly meta?: EntityMeta | undefined
  readonly sources?: readonly Link[] | undefined
  readonly observables?: readonly ObservableLink[] | undefined
  readonly attachments?: readonly Link[] | undefined
  readonly datasets?: readonly Link[] | undefined
}

/** What AMBER STRICT is stored as; asked for only when somebody sends it. */
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
  /** What it is found by, where that is known already. */
  readonly search?: Buffer | undefined
}

/** The row of an entity: its columns, its visibility, and what it is found by. */
export function compose({ id, data, meta, sourceNumber, downgrade, taxonomies, attacks, search }: Parts): StoredEntity {
  const colour = colourOf(meta, downgrade)
  const owner: NewEntity = { data, now: '', tlp: null }
  const stored: StoredMeta = {
    ...withoutUnstored(filled(metaMembers, meta, owner)),
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
    // Printed here, where other requests get their turn in between.
    text: JSON.stringify(data),
    meta: stored,
    search: search ?? searchDocument({ data, alias, tags: stored.tags, taxonomies, attacks }).vector,
  }
}

/** Without what is stored as something else: these observables are linked. */
const withoutUnstored = ({ manual_extracts: _, ...meta }: EntityMeta): Omit<EntityMeta, 'manual_extracts'> => meta

/** Each once; there are seldom more than a few. */
function distinct(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim())
  return trimmed.length > 20 ? [...new Set(trimmed)] : trimmed.filter((tag, i) => trimmed.indexOf(tag) === i)
}
