import { classificationOf, maliciousnessNamed } from '../maliciousness.ts'
import type { ShippedEntity, ShippedObservable, ShippedRelationship, ShippedSource } from '../shipment.ts'

/** Types that had other names in the older document. */
const OLDER_TYPES: ReadonlyMap<string, string> = new Map([
  ['vendor-sighting', 'eclecticiq-sighting'],
  ['vendor-portal-uri', 'fox-it-portal-uri'],
])

const olderType = (type: string): string => OLDER_TYPES.get(type) ?? type

/** Converts an entity to the names that feed clients read: observables are extracts, taxonomies are paths, attacks are nodes. */
export function entityInVersion2(entity: ShippedEntity): object {
  const { id, data, meta, taxonomy_paths, relevancy, created_at, last_updated_at, kept } = entity
  const { taxonomies: _taxonomies, attacks, tlp_color, ...rest } = meta
  return {
    id,
    data: { ...data, type: olderType(data.type) },
    meta: {
      ...rest,
      // Clients concatenate the value with text, so the member must be absent if there is no colour.
      ...(tlp_color ? { tlp_color } : {}),
      taxonomy: taxonomy_paths,
      attack: attacks ?? [],
    },
    extracts: entity.observables.map(extractOf),
    relevancy,
    sources: entity.sources.map(sourceOf),
    created_at,
    last_updated_at,
    ...(kept.length > 0 ? { kept } : {}),
  }
}

function extractOf(observable: ShippedObservable): object {
  const { id, type, value, meta, link_type, sources, created_at, last_updated_at } = observable
  const maliciousness = maliciousnessNamed(meta.maliciousness) ?? 'unknown'
  return {
    id,
    kind: olderType(type),
    value,
    meta: { ...classificationOf(maliciousness), maliciousness },
    instance_meta: { link_types: link_type === null ? [] : [link_type] },
    sources: sources.map(sourceOf),
    created_at,
    last_updated_at,
  }
}

const sourceOf = ({ id, name, type }: ShippedSource): object => ({ source_id: id, name, source_type: type })

/** Converts a relationship to the names of the older document. */
export function relationInVersion2(relationship: ShippedRelationship): object {
  const { id, data, meta, source_type, target_type, created_at, last_updated_at } = relationship
  return {
    id,
    data: { ...data, type: 'relation', source_type: olderType(source_type), target_type: olderType(target_type) },
    meta,
    created_at,
    last_updated_at,
  }
}
