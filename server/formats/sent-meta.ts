import type { ShippedEntity } from './shipment.ts'

/** What the server alone says of an entity: it is of no use to who stores it elsewhere. */
export const COMPUTED_META: readonly string[] = [
  'first_ingest_time',
  'ingest_time',
  'is_contributor_to',
  'is_exempt_from_consolidation',
  'is_outdated_version',
  'is_unified_entity',
  'is_unresolved_idref',
  'title',
]

const computed = new Set(COMPUTED_META)

/** The meta of an entity as a request would send it: taxonomies by their paths, and nothing that the server computes. */
export function sentMeta({
  meta,
  taxonomy_paths,
}: Pick<ShippedEntity, 'meta' | 'taxonomy_paths'>): Record<string, unknown> {
  const said = Object.entries(meta).filter(([name]) => !computed.has(name))
  return { ...Object.fromEntries(said), taxonomies: taxonomy_paths.map((path) => path.join('/')) }
}
