import type { Context } from '../../engine/context.ts'
import { resourceOf } from '../../engine/select.ts'
import { findTaxonomies } from '../../intelligence/entities/references.ts'
import { nodePath } from '../../intelligence/taxonomies/input.ts'
import type { ParsedEntity } from './parse-entity.ts'

/** Creates missing taxonomies that entities name. Without the permission, entities lose them, and their losses say so. */
export async function createTaxonomies(ctx: Context, entities: readonly ParsedEntity[]): Promise<ParsedEntity[]> {
  const names = new Set(entities.flatMap(({ item }) => item.meta?.taxonomies ?? []))
  if (names.size === 0) return [...entities]
  const known = await findTaxonomies(ctx, [...names])
  const absent = [...names].map(String).filter((name) => !known.has(name))
  if (absent.length === 0) return [...entities]
  const created = ctx.caller.permissions.has('modify taxonomies') ? await create(ctx, absent) : new Set<string>()
  return entities.map((entity) => without(entity, (name) => !known.has(name) && !created.has(name)))
}

/** Creates taxonomies for those names that are valid paths. */
async function create(ctx: Context, names: readonly string[]): Promise<Set<string>> {
  const paths = names.flatMap((name) => {
    const { data } = nodePath.safeParse(name)
    return data ? [{ name, path: data }] : []
  })
  const taxonomies = resourceOf(ctx, 'taxonomies')
  if (paths.length > 0) {
    await taxonomies.operations.upsert?.(
      ctx,
      taxonomies,
      paths.map(({ path }) => ({ path })),
    )
  }
  return new Set(paths.map(({ name }) => name))
}

function without(entity: ParsedEntity, isAbsent: (name: string) => boolean): ParsedEntity {
  const { item, losses } = entity
  const lost = (item.meta?.taxonomies ?? []).map(String).filter(isAbsent)
  if (lost.length === 0) return entity
  const taxonomies = item.meta?.taxonomies?.filter((name) => !isAbsent(String(name)))
  return {
    ...entity,
    item: { ...item, meta: { ...item.meta, taxonomies } },
    losses: [
      ...losses,
      ...lost.map((name) => `taxonomy '${name.slice(0, 200)}' does not exist, and you may not create it`),
    ],
  }
}
