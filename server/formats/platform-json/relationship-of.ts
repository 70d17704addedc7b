import { isRecord } from '../../domain/record.ts'
import type { FoundRelationship } from '../finding.ts'
import type { Json } from '../json/record.ts'
import { originIn } from './origin-in.ts'

/** The STIX ids of the entities in a document by their position in its list. */
export type Positions = () => Promise<readonly (string | undefined)[]>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether an item is a relationship rather than an entity, judged by the name of its list or its contents. */
export function isRelationship(value: unknown, at: string): value is Json & { readonly data: Json } {
  if (!isRecord(value) || !isRecord(value.data)) return false
  const { data } = value
  return 'source' in data && 'target' in data && (at.startsWith('relation') || !('title' in data))
}

/** Reads a relationship in any of its forms; undefined if its ends are neither STIX ids nor positions. */
export async function relationshipOf(
  item: Json & { readonly data: Json },
  positions: Positions,
): Promise<FoundRelationship | undefined> {
  const { id, data, meta } = item
  const source = await endOf(data.source, positions)
  const target = await endOf(data.target, positions)
  if (source === undefined || target === undefined) return undefined
  return {
    ...(typeof id === 'string' && UUID.test(id) ? { id } : {}),
    data: { ...plainData(data), source, target },
    ...(isRecord(meta) ? { meta } : {}),
    ...originIn(item, data),
  }
}

async function endOf(end: unknown, positions: Positions): Promise<string | undefined> {
  if (typeof end === 'number') return (await positions())[end]
  const named = isRecord(end) ? end.id : end
  // The entity URL of another server is meaningless here.
  return typeof named === 'string' && named !== '' && !/\/entities\//.test(named) ? named : undefined
}

/** Older documents mark relationships as such, include the types of their ends, and write keys with underscores. */
function plainData(data: Json): Json {
  if (data.type !== 'relation') return data
  const { type: _type, source_type: _source, target_type: _target, key, subtype, ...rest } = data
  return {
    ...rest,
    ...(typeof key === 'string' ? { key: key.toLowerCase().replaceAll('_', '-') } : {}),
    ...(subtype ? { subtype } : {}),
  }
}
