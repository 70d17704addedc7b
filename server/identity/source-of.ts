import { sql } from 'kysely'
import { badRequest, forbidden } from '../engine/errors.ts'
import type { Id, Link } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import { sightOf } from './access/sight.ts'

/** A source that something can be assigned to. */
export interface AssignedSource {
  readonly id: string
  readonly number: number
}

interface Assigned {
  readonly sources?: readonly Link[] | undefined
}

/**
 * The source of each item: the one it names, or else that of the caller's first group. `current` gives the sources that an
 * object already has: naming one of those assigns nothing.
 */
export async function sourcesOf(
  ctx: Context,
  items: readonly Assigned[],
  current: (position: number) => readonly string[] = () => [],
): Promise<(item: Assigned) => AssignedSource> {
  const { home } = sightOf(ctx)
  const wanted = new Set(items.map(({ sources }) => String(sources?.[0]?.id ?? home)))
  const byId = await findSources(ctx, [...wanted])
  const faults = items.flatMap(({ sources }, position) => {
    const where = items.length > 1 ? `[${position}].sources` : 'sources'
    const id = sources?.[0]?.id ?? home
    if (id === null) return [`${where}: is required, because you are in no group whose source it could be`]
    return byId.has(String(id)) ? [] : [`${where}: there is no '${id}' in sources`]
  })
  if (faults.length > 0) throw badRequest(faults)
  refuseForeignSources(ctx, items, current)
  return ({ sources }) => {
    const source = byId.get(String(sources?.[0]?.id ?? home))
    if (!source) throw new TypeError('A source was not looked up.')
    return source
  }
}

/** The sources of these ids that there are. */
export async function findSources(
  ctx: Pick<Context, 'db'>,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, AssignedSource>> {
  const { rows } = await sql<AssignedSource>`
    select id, number
    from sources
    where id = any(${ids.filter((id) => id !== 'null')}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether an item names a source that is not of one of the caller's groups. */
export const namesForeignSource = (ctx: Pick<Context, 'caller'>, { sources }: Assigned): boolean =>
  sources?.some(({ id }) => !sightOf(ctx).own.includes(String(id))) ?? false

/**
 * A 403 where an item names a source that is neither of one of the caller's groups nor among those that its object already has.
 * Otherwise anybody could publish in the name of others, or of a feed.
 */
export function refuseForeignSources(
  ctx: Pick<Context, 'caller'>,
  items: readonly Assigned[],
  current: (position: number) => readonly string[] = () => [],
): void {
  const own = new Set(sightOf(ctx).own)
  const faults = items.flatMap(({ sources = [] }, position) => {
    const where = items.length > 1 ? `[${position}].sources` : 'sources'
    const foreign = sources.filter(({ id }) => !own.has(String(id)))
    const had = foreign.length > 0 ? new Set(current(position)) : own
    return foreign.flatMap(({ id }) =>
      had.has(String(id)) ? [] : [`${where}: '${id}' is not the source of one of your groups`],
    )
  })
  if (faults.length > 0) throw forbidden(faults)
}
