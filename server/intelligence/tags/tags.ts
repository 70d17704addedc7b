import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import type { Route } from '../../engine/route.ts'
import { addTags } from '../entities/search-preparation.ts'
import { countTagged, retag } from './retag.ts'
import { listTags } from './tag-list.ts'

const tagName = string()
  .refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair')
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(500))

const outcome = z.object({
  name: z.string(),
  count: z.int().describe('The number of entities that have the tag now.'),
  changed: z.int().describe('The number of entities that were changed.'),
})

const about = { tag: 'tags', permission: 'modify entities', refusals: [404] }

const mergeTags = defineAction({
  ...about,
  name: 'merge_tags',
  doc: 'Merge several tags into one on all visible entities',
  method: 'POST',
  path: '/tags/merge',
  body: z.object({ tags: z.array(string(1, 500)).min(1).max(1000), into: tagName }),
  example: { tags: ['ransom', 'Ransomware'], into: 'ransomware' },
  result: outcome,
  run: (ctx, { tags, into }) => merge(ctx, tags, into),
})

/** The operations on the tag of a path. A tag can be called `merge` like the action, which therefore has its own routes. */
const routesAt = (path: string, suffix = ''): Route[] => [
  defineAction({
    ...about,
    name: `rename_tag${suffix}`,
    doc: 'Rename a tag on all visible entities, merging it with the new tag where they have both',
    method: 'PATCH',
    path,
    body: z.object({ name: tagName }),
    example: { name: 'ransomware' },
    result: outcome,
    run: (ctx, { name }, { params }) => merge(ctx, [params.name ?? 'merge'], name),
  }),
  defineAction({
    ...about,
    name: `delete_tag${suffix}`,
    doc: 'Remove a tag from all visible entities',
    method: 'DELETE',
    path,
    run: async (ctx, _, { params }) => {
      const name = params.name ?? 'merge'
      if ((await retag(ctx, [name], null)) === 0) throw notFound(name)
    },
  }),
]

/** Lists, renames, merges and deletes tags. */
export const tagRoutes: readonly Route[] = [
  listTags,
  mergeTags,
  ...routesAt(mergeTags.path, '_merge'),
  ...routesAt('/tags/:name'),
]

async function merge(ctx: Context, tags: readonly string[], into: string): Promise<z.output<typeof outcome>> {
  const changed = await retag(ctx, tags, into)
  await addTags(ctx, [into])
  const count = await countTagged(ctx, into)
  const isThere = changed > 0 || (tags.includes(into) && count > 0)
  if (!isThere) throw notFound(tags[0] ?? '')
  return { name: into, count, changed }
}
