import { type RawBuilder, sql } from 'kysely'

/**
 * The links that changes of observables added, as rows of `change`, `observable` and `entity`, given rows `i` of `change` and `observable`. The log
 * names the observable only; link and change have the time of their transaction. An observable may have many older links, which stay unread.
 */
export const addedLinks = (changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select i.change, i.observable, l.source as entity
  from (${changed}) as i
  join changes as c on c.id = i.change
  join entity_observables as l on l.created_at = c.at and l.target = i.observable`
