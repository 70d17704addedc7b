import { sql } from 'kysely'
import { itemPrefix } from '../engine/bulk-errors.ts'
import type { Context } from '../engine/context.ts'
import { badRequest, forbidden } from '../engine/errors.ts'
import type { Id, Link } from '../engine/reference.ts'
import { sightOf } from './access/sight.ts'

/** A source that objects can be assigned to. */
export interface AssignedSource {
  readonly id: string
  readonly number: number
}

interface Assigned {
  readonly sources?: readonly Link[] | undefined
}

/**
 * The source of each item: the one it names, otherwise that of the caller's first group. `current` holds the sources
 * that an object already has; naming one of those assigns nothing new.
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
    const where = `${itemPrefix(items, position)}sources`
    const id = sources?.[0]?.id ?? home
    if (id === null) return [`${where}: is required, because you belong to no group whose source could be used`]
    return byId.has(String(id)) ? [] : [`${where}: there is no '${id}' in sources`]
  })
  if (faults.length > 0) throw badRequest(faults)
  refuseForeignSources(ctx, items, current)
  return ({ sources }) => {
    const source = byId.get(String(sources?.[0]?.id ?? home))
    if (!source) throw new TypeError('The source was not looked up.')
    return source
  }
}

/** The existing sources with these ids. */
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

/** Whether an item names a source that belongs to none of the caller's groups. */
export const namesForeignSource = (ctx: Pick<Context, 'caller'>, { sources }: Assigned): boolean =>
  sources?.some(({ id }) => !sightOf(ctx).own.includes(String(id))) ?? false

/**
 * Throws a 403 if an item names a source that neither belongs to one of the caller's groups nor is already assigned
 * to the object. Otherwise callers could publish in the name of another group or a feed.
 */
export function refuseForeignSources(
  ctx: Pick<Context, 'caller'>,
  items: readonly Assigned[],
  current: (position: number) => readonly string[] = () => [],
): void {
  const own = new Set(sightOf(ctx).own)
  const faults = items.flatMap(({ sources = [] }, position) => {
    const where = `${itemPrefix(items, position)}sources`
    const foreign = sources.filter(({ id }) => !own.has(String(id)))
    const had = foreign.length > 0 ? new Set(current(position)) : own
    return foreign.flatMap(({ id }) =>
      had.has(String(id)) ? [] : [`${where}: '${id}' is not the source of one of your groups`],
    )
  })
  if (faults.length > 0) throw forbidden(faults)
}
