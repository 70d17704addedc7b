import { COMPUTED_META } from '../domain/computed-meta.ts'
import type { ShippedEntity } from './shipment.ts'

const computed = new Set<string>(COMPUTED_META)

/** The meta of an entity as a request would send it: taxonomies by their paths, and nothing that the server computes. */
export function sentMeta({
  meta,
  taxonomy_paths,
}: Pick<ShippedEntity, 'meta' | 'taxonomy_paths'>): Record<string, unknown> {
  const said = Object.entries(meta).filter(([name]) => !computed.has(name))
  return { ...Object.fromEntries(said), taxonomies: taxonomy_paths.map((path) => path.join('/')) }
}
