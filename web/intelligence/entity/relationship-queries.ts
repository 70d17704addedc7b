import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { idOf, type Page, searchOf } from '../../api/lists.ts'
import type { Entity, Relationship } from '../../api/resources.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { isUnified, typeOf } from './entity-queries.ts'

/** The other end of a relationship, as shown in a list. */
export interface OtherEnd {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly tlp: string | null | undefined
  readonly isUnified: boolean
}

/** A relationship from the perspective of one of its ends. */
export interface Seen {
  readonly relationship: Relationship
  readonly isOut: boolean
  readonly key: string
  readonly otherId: string
  /** The id of the end from whose perspective it is. */
  readonly ownId: string
}

/** The id of an end, which is a URL or an object. */
const endId = (end: Relationship['data']['source']): string => idOf(typeof end === 'string' ? end : end.id)

/**
 * Relationships from the perspective of an entity, or of all contributors of a unified entity; one from and to themselves counts as
 * outgoing.
 */
export const seenFrom = (own: ReadonlySet<string>, relationships: readonly Relationship[]): readonly Seen[] =>
  relationships.map((relationship) => {
    const { source, target, key = '' } = relationship.data
    const isOut = own.has(endId(source))
    const [ownId, otherId] = isOut ? [endId(source), endId(target)] : [endId(target), endId(source)]
    return { relationship, isOut, key, ownId, otherId }
  })

/** Relationships grouped by direction and type, outgoing ones first, sorted by type. */
export function groupsOf(
  seen: readonly Seen[],
): readonly { readonly isOut: boolean; readonly key: string; readonly members: readonly Seen[] }[] {
  const groups = Map.groupBy(seen, ({ isOut, key }) => `${isOut ? 'a' : 'b'} ${key}`)
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => ({ isOut: name.startsWith('a'), key: name.slice(2), members }))
}

/** The entities at the other ends of relationships. */
export const endsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['entities', 'ends', ids],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(ids.length / 100) }, (_, i) =>
          call<Page<Entity>>(
            'GET',
            `entities${searchOf({
              'filter[id]': ids.slice(i * 100, (i + 1) * 100),
              limit: 100,
              attributes:
                'id,data.type,data.custom_entity_type,data.title,meta.title,meta.tlp_color,meta.is_unified_entity',
            })}`,
            undefined,
            signal,
          ),
        ),
      )
      const ends = pages.flatMap(({ data }) => data).map((entity): [string, OtherEnd] => [entity.id, endOf(entity)])
      return new Map(ends)
    },
    enabled: ids.length > 0,
  })

const endOf = (entity: Entity): OtherEnd => ({
  id: entity.id,
  title: entityTitle(entity),
  type: typeOf(entity),
  tlp: entity.meta.tlp_color,
  isUnified: isUnified(entity),
})
