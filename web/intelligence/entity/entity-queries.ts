import { oneQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import type { Entity } from '../../api/resources.ts'

/** One entity with all attributes. */
export const entityQuery = (id: string) => oneQuery<Entity>(`entities/${id}`)

/** Invalidates cached entities and everything that depends on them, after a write. */
export const invalidateEntities = (): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      /^(entities|relationships|observables|history-events|tags|aggregations)(\/|$)/.test(String(path)),
  })

/** Whether an entity unifies others, and therefore cannot be edited. */
export const isUnified = ({ meta }: Pick<Entity, 'meta'>): boolean => meta.is_unified_entity === true

/** The type of an entity for its icon and name: the custom type, if it has one. */
export const typeOf = ({ data }: Pick<Entity, 'data'>): string =>
  data.type === 'custom-entity' && typeof data.custom_entity_type === 'string' ? data.custom_entity_type : data.type
