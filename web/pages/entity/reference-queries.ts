import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import { entityTypeName } from '../../ui/entity-types.ts'

/** One end of a relationship that an entity refers to. */
export interface End {
  readonly url: string
  readonly type: string
  readonly title: string
}

/** What an id in the data of an entity stands for; `kind` is null where that is not visible or unknown. */
export interface Reference {
  readonly id: string
  readonly field: string
  readonly kind: 'entity' | 'relationship' | 'observable' | 'object' | null
  readonly type: string | null
  readonly title: string | null
  readonly url: string | null
  readonly source?: End
  readonly target?: End
}

const PAGE = 50

/** What the ids in a field of an entity stand for; they have an order of their own, so their pages need no cursor. */
export const referencesQuery = (id: string, field: string) =>
  infiniteQueryOptions({
    queryKey: [`entities/${id}/references`, field],
    queryFn: ({ pageParam: offset, signal }) =>
      call<Page<Reference>>(
        'GET',
        `entities/${id}/references${searchOf({ field, limit: PAGE, offset })}`,
        undefined,
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ offset, count, total_count }) => (offset + count < total_count ? offset + count : undefined),
  })

/** Whether a field of the data names other objects by their ids. */
export const isReferenceField = (name: string): boolean => /_refs?$/.test(name)

/** What is said of an id whose object has no name here: an id says at least of which type its object is. */
export function unnamed({ id, kind, type }: Pick<Reference, 'id' | 'kind' | 'type'>): string {
  const told = type ?? /^([a-z][a-z0-9-]*)--/.exec(id)?.[1]
  const name = told === undefined ? 'Object' : entityTypeName(told)
  return kind === null ? `${name}: not visible to you or unknown` : `${name} without a name`
}
