import { sql } from 'kysely'
import { sightOf } from '../auth/sight.ts'
import { badRequest } from '../engine/errors.ts'
import type { Link } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'

/** A source that something can be assigned to. */
export interface AssignedSource {
  readonly id: string
  readonly number: number
}

/**
 * The source of each item: the one it names, which must be that of a group or the caller's own, or else the caller's own: that of
 * their first group. `known` are sources that items already have, of whatever type.
 */
export async function sourcesOf(
  ctx: Context,
  items: readonly { readonly sources?: readonly Link[] | undefined }[],
  known: readonly string[] = [],
): Promise<(item: { readonly sources?: readonly Link[] | undefined }) => AssignedSource> {
  const { home } = sightOf(ctx)
  const wanted = new Set(items.map(({ sources }) => String(sources?.[0]?.id ?? home)))
  const { rows } = await sql<AssignedSource & { type: string }>`
    select id, number, type
    from sources
    where id = any(${[...wanted, ...known].filter((id) => id !== 'null')}::uuid[])`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const faults = items.flatMap(({ sources }, position) => {
    const where = items.length > 1 ? `[${position}].sources` : 'sources'
    const id = sources?.[0]?.id ?? home
    if (id === null) return [`${where}: is required, because you are in no group whose source it could be`]
    const source = byId.get(String(id))
    if (!source) return [`${where}: there is no '${id}' in sources`]
    if (source.type === 'group' || source.id === home || known.includes(source.id)) return []
    return [`${where}: '${source.id}' is of type ${source.type}; only sources of groups can be assigned`]
  })
  if (faults.length > 0) throw badRequest(faults)
  return ({ sources }) => {
    const source = byId.get(String(sources?.[0]?.id ?? home))
    if (!source) throw new TypeError('A source was not looked up.')
    return source
  }
}
