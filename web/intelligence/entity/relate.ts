import { call } from '../../api/call.ts'
import type { Entity } from '../../api/resources.ts'
import type { RelatedEntity } from './entity-draft.ts'

/** Relates a saved entity to those that were accepted in its form, with the relationship type for entities that belong together. */
export async function relate(
  { id, sources }: Pick<Entity, 'id' | 'sources'>,
  related: readonly RelatedEntity[] = [],
): Promise<void> {
  if (related.length === 0) return
  const data = related.map((other) => ({ data: { source: id, target: other.id }, sources }))
  await call('PUT', 'relationships', { data })
}
