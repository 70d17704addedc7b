import { call } from '../../api/call.ts'
import type { Entity } from '../../api/resources.ts'
import { saveAccepted } from '../extraction/save-accepted.ts'
import type { EntityDraft } from './entity-draft.ts'

/**
 * Relates a saved entity to those that were accepted in its form, with the relationship type for entities that belong together, and stores
 * what was extracted from its text.
 */
export async function relate(
  entity: Pick<Entity, 'id' | 'sources'>,
  { related = [], extracted }: Pick<EntityDraft, 'related' | 'extracted'>,
): Promise<void> {
  const { id, sources } = entity
  const data = related.map((other) => ({ data: { source: id, target: other.id }, sources }))
  if (data.length > 0) await call('PUT', 'relationships', { data })
  if (extracted) await saveAccepted(id, extracted.extraction, extracted.accepted)
}
