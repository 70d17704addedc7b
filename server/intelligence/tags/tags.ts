import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { notFound } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import type { Context } from '../../engine/resource.ts'
import type { Route } from '../../engine/route.ts'
import { learnTags } from '../entities/learn.ts'
import { countTagged, retag } from './retag.ts'
import { listTags } from './tag-list.ts'

const tagName = string()
  .refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair')
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(500))

const outcome = z.object({
  name: z.string(),
  count: z.int().describe('How many entities have the tag now.'),
  changed: z.int().describe('How many entities were written.'),
})

const about = { tag: 'tags', permission: 'modify entities', refusals: [404] }

const mergeTags = defineAction({
  ...about,
  name: 'merge_tags',
  doc: 'Put one tag in the place of several on all entities that you may see',
  method: 'POST',
  path: '/tags/merge',
  body: z.object({ tags: z.array(string(1, 500)).min(1).max(1000), into: tagName }),
  example: { tags: ['ransom', 'Ransomware'], into: 'ransomware' },
  result: outcome,
  run: (ctx, { tags, into }) => merge(ctx, tags, into),
})

/** What is done to the tag of a path; a tag may be called merge, like the path beside it. */
const routesAt = (path: string, suffix = ''): Route[] => [
  defineAction({
    ...about,
    name: `rename_tag${suffix}`,
    doc: 'Rename a tag on all entities that you may see; where they have the new one already, the two become one',
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
    doc: 'Take a tag off all entities that you may see',
    method: 'DELETE',
    path,
    run: async (ctx, _, { params }) => {
      const name = params.name ?? 'merge'
      if ((await retag(ctx, [name], null)) === 0) throw notFound(name)
    },
  }),
]

/** The tags of entities, as a whole. */
export const tagRoutes: readonly Route[] = [
  listTags,
  mergeTags,
  ...routesAt(mergeTags.path, '_merge'),
  ...routesAt('/tags/:name'),
]

async function merge(ctx: Context, tags: readonly string[], into: string): Promise<z.output<typeof outcome>> {
  const changed = await retag(ctx, tags, into)
  await learnTags(ctx, [into])
  const count = await countTagged(ctx, into)
  const isThere = changed > 0 || (tags.includes(into) && count > 0)
  if (!isThere) throw notFound(tags[0] ?? '')
  return { name: into, count, changed }
}
