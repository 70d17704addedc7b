import { typeOfStixId } from '../../domain/stix-ids.ts'
import { filled } from '../../engine/document.ts'
import { makeId } from '../../engine/ids.ts'
import type { Context } from '../../engine/resource.ts'
import { searchDocument } from '../../search/document.ts'
import { type Awaiting, noteAwaited, removePlaceholders } from './awaited.ts'
import { keepWords } from './dictionary.ts'
import { type EntityData, type EntityType, entityTypes } from './entity-data.ts'
import { metaMembers, type NewEntity } from './meta.ts'
import { insertEntities, type StoredEntity } from './store.ts'

/** Something that refers to entities by their STIX ids, and who may see it. */
export interface Referrer extends Awaiting {
  readonly vis: number
  /** Whether it was there before, and may have referred to others. */
  readonly isKnown: boolean
}

/**
 * Makes a placeholder for every referenced STIX id that is not known yet; it becomes the entity when that arrives, and goes when nothing
 * refers to it any more. `mayBeMade` leaves some out.
 */
export async function keepPlaceholders(
  ctx: Context,
  referrers: readonly Referrer[],
  mayBeMade: (stixId: string) => boolean = () => true,
): Promise<void> {
  const wanted = new Map(referrers.flatMap(({ vis, ids }) => ids.map((id): [string, number] => [id, vis])))
  const placeholders = [...wanted].flatMap(([id, vis]) => (mayBeMade(id) ? (placeholder(id, vis) ?? []) : []))
  if (placeholders.length > 0) {
    const { epoch } = await insertEntities(ctx, placeholders)
    const ids = placeholders.map(({ id }) => id)
    // The words of a title that is made here have not been learned.
    await keepWords(ctx, ids, epoch)
  }
  const updated = referrers.filter(({ isKnown }) => isKnown).map(({ entity }) => entity)
  await removePlaceholders(ctx, { stixIds: await noteAwaited(ctx, referrers, updated) })
}

/** An entity that is only known by its STIX id, as visible as what refers to it; undefined where no type can be told. */
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
      ...filled(metaMembers, {}, { data, now: '', tlp: null } satisfies NewEntity),
      tlp_color: null,
      tags: [],
      taxonomies: [],
      attacks: [],
    },
    search: searchDocument({ data, tags: [], taxonomies: [], attacks: [] }).vector,
  }
}

const isEntityType = (type: string | undefined): type is EntityType => entityTypes.some((known) => known === type)
