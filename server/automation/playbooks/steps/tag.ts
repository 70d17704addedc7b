import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { changeEntities, resolveChange } from '../../../intelligence/by-query/change-entities.ts'
import { change } from '../../../intelligence/by-query/payloads.ts'
import { defineStep } from '../step.ts'

const tags = z
  .array(string(1, 500).refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair'))
  .max(100)
  .overwrite((list) => [...new Set(list.map((each) => each.trim()))].filter((each) => each !== ''))
  .default([])

const parameters = z
  .object({ added: tags.describe('Tags to add.'), removed: tags.describe('Tags to remove.') })
  .refine(({ added, removed }) => added.length + removed.length > 0, {
    path: ['added'],
    message: 'is required, unless tags are removed',
  })
  .refine(({ added, removed }) => !added.some((each) => removed.includes(each)), {
    path: ['removed'],
    message: 'must not contain tags that are added',
  })

const noChange = z.object(change).parse({})

/** Adds tags to the entity, and removes others. */
export const tag = defineStep({
  kind: 'tag',
  title: 'Tag',
  description: 'Adds tags to the entity, and removes others.',
  outcomes: { changed: 'The entity has other tags now.', unchanged: 'The entity had these tags already.' },
  collections: ['entities'],
  parameters,
  templates: [],
  permissions: () => ['modify entities'],
  act: async ({ ctx, subject }, { added, removed }) => {
    const resolved = await resolveChange(ctx, { ...noChange, added_tags: added, removed_tags: removed })
    const count = await changeEntities(ctx, resolved, [subject.id])
    return { outcome: count > 0 ? 'changed' : 'unchanged', output: { added, removed } }
  },
})
