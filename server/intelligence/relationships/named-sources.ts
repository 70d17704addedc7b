import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { type AssignedSource, findSources } from '../../identity/source-of.ts'

/** Finds the sources that relationships refer to. Responds 400 if one does not exist. */
export async function sourcesNamed(
  ctx: Context,
  items: readonly { readonly sources: readonly Link[] }[],
): Promise<ReadonlyMap<Id, AssignedSource>> {
  const found = await findSources(ctx, [...new Set(items.flatMap(({ sources }) => sources.map(({ id }) => id)))])
  const faults = items.flatMap(({ sources }, position) =>
    sources.flatMap(({ id }, i) =>
      found.has(id) ? [] : [`${itemPrefix(items, position)}sources[${i}]: there is no '${id}' in sources`],
    ),
  )
  if (faults.length > 0) throw badRequest(faults)
  return found
}

/** The given sources that a stored relationship visibly has already. */
export function sourcesOn(
  ctx: Context,
  row: { readonly vis: readonly number[] } | undefined,
  numbers: ReadonlyMap<Id, AssignedSource>,
): string[] {
  const held = new Set(sightOf(ctx).keys)
  const has = new Set(row?.vis.filter((key) => held.has(key)).map((key) => sourceOf(key)))
  return [...numbers.values()].flatMap(({ id, number }) => (has.has(number) ? [id] : []))
}
