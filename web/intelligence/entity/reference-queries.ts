import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { inSentence } from '../../ui/in-sentence.ts'

/** One end of a relationship that an entity refers to. */
export interface End {
  readonly url: string
  readonly type: string
  readonly title: string
}

/** The object that an id in the data of an entity refers to; `kind` is null if it is not visible or unknown. */
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

const PAGE_SIZE = 50

/** The objects that the ids in a field refer to; their order is stable, so paging needs no cursor. */
export const referencesQuery = (id: string, field: string) =>
  infiniteQueryOptions({
    queryKey: [`entities/${id}/references`, field],
    queryFn: ({ pageParam: offset, signal }) =>
      call<Page<Reference>>(
        'GET',
        `entities/${id}/references${searchOf({ field, limit: PAGE_SIZE, offset })}`,
        undefined,
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ offset, count, total_count }) => (offset + count < total_count ? offset + count : undefined),
  })

/** Whether a data field refers to other objects by id. */
export const isReferenceField = (name: string): boolean => /_refs?$/.test(name)

/** A description of an object without a visible name, by the type in its id. */
export function unnamed({ id, kind, type }: Pick<Reference, 'id' | 'kind' | 'type'>): string {
  const typeInId = type ?? /^([a-z][a-z0-9-]*)--/.exec(id)?.[1]
  const name = typeInId === undefined ? 'Object' : entityTypeName(typeInId)
  return kind === null ? `${name}: not visible or unknown` : `Unnamed ${inSentence(name)}`
}
