import { COMPUTED_META } from '../domain/computed-meta.ts'
import type { ShippedEntity } from './shipment.ts'

const computed = new Set<string>(COMPUTED_META)

/** A withdrawal is exported, so that feeds that read it mark the entity as well. */
const isMark = (name: string, value: unknown): boolean => name === 'is_withdrawn' && value === true

/** The meta of an entity in the form of requests: taxonomies as paths, without computed fields. */
export function sentMeta({
  meta,
  taxonomy_paths,
}: Pick<ShippedEntity, 'meta' | 'taxonomy_paths'>): Record<string, unknown> {
  const said = Object.entries(meta).filter(([name, value]) => !computed.has(name) || isMark(name, value))
  return { ...Object.fromEntries(said), taxonomies: taxonomy_paths.map((path) => path.join('/')) }
}
