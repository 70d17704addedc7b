import { oneQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import type { Entity } from '../../api/resources.ts'

/** One entity, whole. */
export const entityQuery = (id: string) => oneQuery<Entity>(`entities/${id}`)

/** Forgets what is known of entities and of what hangs on them, after one was written. */
export const forgetEntities = (): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      /^(entities|relationships|observables|history-events|tags|aggregations)(\/|$)/.test(String(path)),
  })

/** What an entity is, for its icon and name: of a custom type that one. */
export const typeOf = ({ data }: Pick<Entity, 'data'>): string =>
  data.type === 'custom-entity' && typeof data.custom_entity_type === 'string' ? data.custom_entity_type : data.type
