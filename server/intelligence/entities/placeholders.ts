import { typeOfStixId } from '../../domain/stix-ids.ts'
import type { Context } from '../../engine/context.ts'
import { withAllColumns } from '../../engine/document.ts'
import { makeId } from '../../engine/ids.ts'
import { searchDocument } from '../../search/document.ts'
import { ensureWords } from './dictionary.ts'
import { type EntityData, type EntityType, entityTypes } from './entity-data.ts'
import { metaMembers, type NewEntity } from './meta.ts'
import { type Referring, recordReferences, removePlaceholders } from './placeholder-references.ts'
import { insertEntities, type StoredEntity } from './store.ts'

/** An entity that refers to others by their STIX ids. */
export interface Referrer extends Referring {
  readonly vis: number
  /** Whether it existed before, and may have referred to other entities. */
  readonly isKnown: boolean
}

/**
 * Creates a placeholder for every referenced STIX id that is unknown. It becomes the entity when that arrives, and is deleted when
 * nothing refers to it any more. `mayBeCreated` leaves some out.
 */
export async function keepPlaceholders(
  ctx: Context,
  referrers: readonly Referrer[],
  mayBeCreated: (stixId: string) => boolean = () => true,
): Promise<void> {
  const wanted = new Map(referrers.flatMap(({ vis, ids }) => ids.map((id): [string, number] => [id, vis])))
  const placeholders = [...wanted].flatMap(([id, vis]) => (mayBeCreated(id) ? (placeholder(id, vis) ?? []) : []))
  if (placeholders.length > 0) {
    const { epoch } = await insertEntities(ctx, placeholders)
    const ids = placeholders.map(({ id }) => id)
    // The words of a generated title are not in the dictionary yet.
    await ensureWords(ctx, ids, epoch)
  }
  const updated = referrers.filter(({ isKnown }) => isKnown).map(({ entity }) => entity)
  await removePlaceholders(ctx, { stixIds: await recordReferences(ctx, referrers, updated) })
}

/** A placeholder for a STIX id, with the visibility of the entity that refers to it; undefined if the id names no known type. */
export function placeholder(stixId: string, vis: number): StoredEntity | undefined {
  const type = typeOfStixId(stixId)
  if (!isEntityType(type) || stixId.length > 500) return undefined
  const data = { id: stixId, type, title: stixId } as EntityData
  return {
    id: makeId(),
    stix_id: stixId,
    type,
    vis,
    is_unresolved: true,
    data,
    text: JSON.stringify(data),
    meta: {
      ...withAllColumns(metaMembers, {}, { data, now: '', tlp: null } satisfies NewEntity),
      tlp_color: null,
      tags: [],
      taxonomies: [],
      attacks: [],
    },
    search: searchDocument({ data, tags: [], taxonomies: [], attacks: [] }).vector,
  }
}

const isEntityType = (type: string | undefined): type is EntityType => entityTypes.some((known) => known === type)
