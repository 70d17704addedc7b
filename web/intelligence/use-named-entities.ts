import { useQueries } from '@tanstack/react-query'
import { idOf, listQuery } from '../api/lists.ts'
import { NAMED_ATTRIBUTES, type NamedEntity } from './named-entity.tsx'

/** The number of ids per request, so that addresses stay short. */
const CHUNK = 100

/** The entities at some URLs, by id: those that exist and that the user may see. */
export function useNamedEntities(urls: readonly string[]): ReadonlyMap<string, NamedEntity> | undefined {
  const ids = [...new Set(urls.map(idOf))]
  const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, i) => ids.slice(i * CHUNK, (i + 1) * CHUNK))
  const found = useQueries({
    queries: chunks.map((chunk) =>
      listQuery<NamedEntity>('entities', { 'filter[id]': chunk, attributes: NAMED_ATTRIBUTES, limit: CHUNK }),
    ),
  })
  if (found.some(({ isPending }) => isPending)) return undefined
  return new Map(found.flatMap(({ data }) => data?.data ?? []).map((entity) => [entity.id, entity]))
}
