import { detailOf } from './holding-ids.ts'
import type { Sight } from './seen-holdings.ts'
import type { World } from './world.ts'

/** What a viewer sees of consolidation: all policies, the events of unified entities and the suggestions about entities that they see. */
export function seenConsolidating({ holdings }: World, { seen }: Sight): { names: string[]; texts: string[] } {
  const events = holdings.joinEvents.filter(({ entity, unified }) => seen.has(entity) && seen.has(unified))
  const suggestions = holdings.suggestions.filter(({ first, second }) => seen.has(first) && seen.has(second))
  const policies = holdings.policies.flatMap(({ name }) => [name, `configuration of ${name}`])
  return {
    names: [...policies, ...[...events, ...suggestions].map(({ name }) => name)],
    texts: [...events, ...suggestions].map(({ name }) => detailOf(name)),
  }
}
