import type { Context } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import { findTaxonomies } from '../../intelligence/entities/references.ts'
import { nodePath } from '../../intelligence/taxonomies/input.ts'
import type { Draft } from './drafts.ts'

/** Makes the taxonomies that drafts name and nobody has, where the caller may; else the drafts go without them, and say so. */
export async function settleTaxonomies(ctx: Context, drafts: readonly Draft[]): Promise<Draft[]> {
  const names = new Set(drafts.flatMap(({ item }) => item.meta?.taxonomies ?? []))
  if (names.size === 0) return [...drafts]
  const known = await findTaxonomies(ctx, [...names])
  const absent = [...names].map(String).filter((name) => !known.has(name))
  if (absent.length === 0) return [...drafts]
  const made = ctx.caller.permissions.has('modify taxonomies') ? await make(ctx, absent) : new Set<string>()
  return drafts.map((draft) => without(draft, (name) => !known.has(name) && !made.has(name)))
}

/** Makes nodes of those that can be paths. */
async function make(ctx: Context, names: readonly string[]): Promise<Set<string>> {
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

function without(draft: Draft, isAbsent: (name: string) => boolean): Draft {
  const { item, losses } = draft
  const lost = (item.meta?.taxonomies ?? []).map(String).filter(isAbsent)
  if (lost.length === 0) return draft
  const taxonomies = item.meta?.taxonomies?.filter((name) => !isAbsent(String(name)))
  return {
    ...draft,
    item: { ...item, meta: { ...item.meta, taxonomies } },
    losses: [...losses, ...lost.map((name) => `there is no taxonomy '${name.slice(0, 200)}', and you may not make it`)],
  }
}
