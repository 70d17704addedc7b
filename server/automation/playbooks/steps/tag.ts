import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { CHANGE_OUTCOMES, changeEntity } from '../acting/change-entity.ts'
import { OUT_OF_SCOPE } from '../acting/subject.ts'
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

/** Adds tags to the entity, and removes others. */
export const tag = defineStep({
  kind: 'tag',
  title: 'Tag',
  description: 'Adds tags to the entity, and removes others.',
  outcomes: CHANGE_OUTCOMES,
  collections: ['entities'],
  parameters,
  templates: [],
  permissions: () => ['read entities', 'modify entities'],
  act: async (step, { added, removed }) => {
    const { outcome, output } = await changeEntity(step, { added_tags: added, removed_tags: removed })
    return { outcome, output: outcome === OUT_OF_SCOPE ? output : { added, removed } }
  },
})
